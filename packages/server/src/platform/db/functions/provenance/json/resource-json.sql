create or replace function provenance.resource_json(p_resource provenance.resource) returns jsonb
language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'cid', p_resource.cid,
    'type', p_resource.type,
    'mimeType', p_resource.mime_type,
    'size', p_resource.size_bytes,
    'createdBy', p_resource.created_by,
    'owner', p_resource.owner_id,
    'rootAction', p_resource.root_action,
    'createdAt', provenance.instant(p_resource.created_at)
  ))
  || case when p_resource.extensions is null then '{}'::jsonb
    else jsonb_build_object('extensions', p_resource.extensions) end
  || jsonb_build_object(
    'state', p_resource.state,
    'locations', provenance.locations(p_resource))
$$;
