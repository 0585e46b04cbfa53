-- How far each project's log has grown, and how far that is anchored on a chain. record() notes the size in the
-- transaction that writes the leaves: it is the order to anchor them.
create table provenance.anchor_due (
  project_id    uuid primary key,
  size          bigint not null,
  anchored_size bigint not null default 0
);
create index anchor_due_open on provenance.anchor_due (project_id) where size > anchored_size;

-- What is or will be on a chain: a root over the heads of many projects' logs, or the digest of one action.
create table provenance.anchor (
  id            uuid primary key,
  root          bytea not null,
  -- How many heads the root is over; null when it is the digest of one action.
  size          bigint,
  state         text not null default 'pending' check (state in ('pending', 'submitted', 'confirmed', 'final')),
  chain_id      bigint not null,
  chain_name    text not null,
  contract      text not null,
  -- The newest transaction, or the one that is in a block.
  tx_hash       text,
  -- Where that one is.
  block_number  bigint,
  block_hash    text,
  log_index     int,
  created_at    timestamptz not null default now()
);
create index anchor_open on provenance.anchor (id) where state <> 'final';

-- Every transaction that was signed for an anchor; it is stored before it is sent, so that it can be sent again.
create table provenance.anchor_transaction (
  anchor_id        uuid not null references provenance.anchor,
  hash             text not null,
  raw              text not null,
  account          text not null,
  chain_id         bigint not null,
  contract         text not null,
  nonce            bigint not null,
  max_fee_wei      numeric not null,
  priority_fee_wei numeric not null,
  signed_at        timestamptz not null default now(),
  primary key (anchor_id, hash)
);

-- The project's part of an anchor: the head of its log of this size, or the action that is its last leaf.
create table provenance.anchor_head (
  project_id uuid not null,
  size       bigint not null,
  anchor_id  uuid not null references provenance.anchor,
  -- The log's name in the anchored head.
  origin     text not null,
  -- Place among the heads, and the hashes from there to the root (base64); null for the digest of an action.
  place      bigint,
  path       jsonb,
  primary key (project_id, size)
);
create index anchor_head_roots on provenance.anchor_head (project_id, size) where path is not null;

-- Work that one node at a time does for all.
create table provenance.lease (
  name   text primary key,
  holder uuid not null,
  until  timestamptz not null,
  -- What the holder last said of its work.
  note   text not null default ''
);

insert into provenance.anchor_due (project_id, size)
select project_id, max(leaf_index) + 1 from provenance.log_leaf group by project_id;
