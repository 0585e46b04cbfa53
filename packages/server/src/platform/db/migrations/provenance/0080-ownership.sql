-- Claims to content and its passing from one owner to another, never changed: what happened, in the order of the log.
-- The actions themselves stand among the others.
create table provenance.ownership_event (
  project_id uuid not null,
  action_id  uuid not null,
  cid        text not null,
  kind       text not null check (kind in ('claim', 'transfer')),
  -- Leaf of the action.
  leaf_index bigint not null,
  -- The previous owner's, by which content passed: good once.
  signature  bytea,
  primary key (project_id, action_id)
);
create index ownership_event_content on provenance.ownership_event (project_id, cid, leaf_index);
create unique index ownership_event_signature on provenance.ownership_event (project_id, signature)
  where signature is not null;

-- To whom content has passed; until it has, its creator owns it.
alter table provenance.resource add column owner_id text;
