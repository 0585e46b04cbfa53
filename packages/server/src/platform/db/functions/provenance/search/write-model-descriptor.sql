-- Stores a descriptor from a caller's model (method `given/<model>`), and returns null. If the model is new and the
-- project has `p_most` such models, stores nothing, and returns the methods of the first `p_most` models.
create or replace function provenance.write_model_descriptor(p_project uuid, p_descriptor jsonb, p_most int)
returns jsonb
language plpgsql as $$
declare
  methods jsonb;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  if not exists (select from provenance.descriptor d
                 where d.project_id = p_project and d.method = p_descriptor->>'method') then
    -- One index probe for each method.
    with recursive used(method, models) as (
      select null::text, 0
      union all
      select next.method, used.models + case when starts_with(next.method, 'given/') then 1 else 0 end
      from used, lateral (
        select d.method from provenance.descriptor d
        where d.project_id = p_project and d.method > coalesce(used.method, '')
        order by d.method limit 1) next
      where used.models < p_most)
    select jsonb_agg(method order by method collate "C") into methods from used where starts_with(method, 'given/');
    if coalesce(jsonb_array_length(methods), 0) >= p_most then
      return methods;
    end if;
  end if;
  perform provenance.write_descriptors(p_project, jsonb_build_array(p_descriptor));
  return null;
end
$$;
