-- Returns leaf index, digest and salts of each record in p_document, and the commitments of erased records.
create or replace function provenance.record_leaves(p_project uuid, p_document jsonb) returns jsonb
language plpgsql stable as $$
begin
  return (
  with leaves as (
    select 1 as place, 'entity' as kind, r.id, r.digest, r.leaf_index, r.salts, r.body, r.erasure
    from jsonb_array_elements(p_document->'entities') shown,
      lateral (select * from provenance.entity e
               where e.project_id = p_project and e.id = shown->>'id' offset 0) r
    union all
    select 2, 'action', r.id::text, r.digest, r.leaf_index, r.salts, r.body, r.erasure
    from jsonb_array_elements(p_document->'actions') shown,
      lateral (select * from provenance.action a
               where a.project_id = p_project and a.id = (shown->>'id')::uuid offset 0) r
    union all
    select 3, 'attribution', r.id::text, r.digest, r.leaf_index, r.salts, r.body, r.erasure
    from jsonb_array_elements(p_document->'attributions') shown,
      lateral (select * from provenance.attribution t
               where t.project_id = p_project and t.id = (shown->>'id')::uuid offset 0) r
  )
  select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'id', id, 'digest', 'sha256:' || encode(digest, 'hex'),
    'leafIndex', leaf_index, 'salts', salts)
    || case when erasure is null or erasure->'fields' = '[]' then '{}'::jsonb
      else jsonb_build_object('erased', provenance.commitments(body, erasure)) end order by place, leaf_index), '[]')
  from leaves);
end
$$;
