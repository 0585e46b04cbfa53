-- The public keys that have signed the logs of all projects, in their order. The last one is the present key. A row
-- never changes.
create table provenance.log_key (
  sequence   integer     primary key,
  public_key bytea       not null unique,
  -- The hand-over from the key before: its signed statement, and the digest that each log gets as a leaf. Null for the
  -- first key, and for a key whose predecessor was lost.
  handover   jsonb,
  digest     bytea,
  adopted_at timestamptz not null default now(),
  check ((handover is null) = (digest is null))
);

-- The leaf of each hand-over in a project's log. The leaf also has a row in mention_statement, of version 0 and with
-- `leaves` -1: a node of an earlier version expects a statement for each leaf that is not a record, and uses only rows
-- of other versions for its proofs.
create table provenance.log_handover_leaf (
  project_id uuid    not null,
  sequence   integer not null references provenance.log_key,
  leaf_index bigint  not null,
  primary key (project_id, sequence)
);
