-- Which action a performer's signature was for: a proof copied from a history proves no other. Of earlier recordings with
-- one signature, which stay as they are, the first counts.
create table provenance.proof_use (
  project_id uuid not null,
  signature  bytea not null,
  action_id  uuid not null,
  primary key (project_id, signature)
);

insert into provenance.proof_use (project_id, signature, action_id)
select distinct on (a.project_id, a.body->'proof'->>'signature')
  a.project_id, decode(a.body->'proof'->>'signature', 'hex'), a.id
from provenance.action a where a.body ? 'proof'
order by a.project_id, a.body->'proof'->>'signature', a.recorded_at, a.id;
