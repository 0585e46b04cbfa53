-- The type changes only when the uploader declared a type, or when the stored type is `other`.
create or replace function provenance.attach_bytes(p_project uuid, p_upload jsonb) returns jsonb
language plpgsql as $$
declare
  attached provenance.resource;
begin
  update provenance.resource r set content_digest = decode(p_upload->>'contentDigest', 'hex'),
    size_bytes = (p_upload->>'sizeBytes')::bigint, mime_type = p_upload->>'mimeType',
    type = case when (p_upload->>'typeIsStated')::boolean or r.type = 'other' then p_upload->>'type'
      else r.type end,
    extensions = case when p_upload ? 'extensions'
      then coalesce(r.extensions, '{}') || (p_upload->'extensions') else r.extensions end,
    ai = greatest(r.ai, provenance.ai_of_disclosure(p_upload->'extensions'->'ext:c2pa@1.0.0'))
  where r.project_id = p_project and r.cid = p_upload->>'cid'
  returning * into attached;
  return jsonb_build_array(provenance.resource_json(attached));
end
$$;
