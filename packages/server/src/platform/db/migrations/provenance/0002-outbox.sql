-- Effects outside the database, written in the transaction that calls for them and run later, at least once.
create table provenance.outbox (
  project_id uuid not null,
  id         uuid not null,
  kind       text not null,
  payload    jsonb not null,
  state      text not null default 'pending' check (state in ('pending', 'failed')),
  attempts   int not null default 0,
  -- When it may next be claimed; while a worker holds it, the end of that worker's lease.
  due_at     timestamptz not null default now(),
  -- The current claim: only its holder may finish the job.
  claim      uuid,
  last_error text,
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);
create index outbox_due on provenance.outbox (kind, due_at) where state = 'pending';
