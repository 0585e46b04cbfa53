-- A log without an origin gets the origin of its newest anchored head, otherwise one from p_service. Returns the
-- previous service name (null at first), and how many logs got each of the two origins.
create or replace function provenance.name_logs(p_service text) returns jsonb
language plpgsql as $$
declare
  before     text;
  anchored   bigint;
  unanchored bigint;
begin
  select s.name into before from provenance.log_service s;
  insert into provenance.log_service (name) values (p_service)
  on conflict (is_only) do update set name = excluded.name;

  update provenance.anchor_due d set origin = (
    select h.origin from provenance.anchor_head h where h.project_id = d.project_id order by h.size desc limit 1)
  where d.origin is null and exists (select from provenance.anchor_head h where h.project_id = d.project_id);
  get diagnostics anchored = row_count;

  update provenance.anchor_due d set origin = p_service || '/log/' || d.project_id::text where d.origin is null;
  get diagnostics unanchored = row_count;
  return jsonb_build_object('before', before, 'anchored', anchored, 'unanchored', unanchored);
end
$$;
