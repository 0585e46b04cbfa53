-- The project's content whose vectors are nearest to those asked for, `p_asked` being `[{embedding, signs}]`: the
-- turns of one picture. Exact unless pgvector's index is there and the project is large: a search through an index
-- that all projects share passes by the content of a small one.
create or replace function provenance.nearest(p_project uuid, p_method text, p_asked jsonb, p_limit int)
  returns table (cid text, type text, turn int, cosine real, evidence bytea)
language plpgsql as $$
#variable_conflict use_column
declare
  large constant int := 10000;
begin
  if provenance.has_vector_index()
    and jsonb_array_length(p_asked->0->'embedding') = 512 and large < (
    select count(*) from (select from provenance.descriptor d
      where d.project_id = p_project and d.method = p_method limit large + 1) counted)
  then
    return query select * from provenance.nearest_indexed(p_project, p_method, p_asked, p_limit);
  else
    return query select * from provenance.nearest_exact(p_project, p_method, p_asked, p_limit);
  end if;
end
$$;
