-- PL/pgSQL caches query plans. An SQL function would plan the queries again for each resource of a history.
create or replace function provenance.locations(p_resource provenance.resource) returns jsonb
language plpgsql stable as $$
declare
  here jsonb;
begin
  if p_resource.content_digest is null then return '[]'; end if;
  here := jsonb_build_array(
    jsonb_build_object('uri', '/v1/resource/' || p_resource.cid || '/content', 'provider', 'colophon'));
  if not p_resource.has_pins then return here; end if;
  return here || coalesce((
    select jsonb_agg(jsonb_build_object('uri', coalesce(p.uri, 'ipfs://' || p.cid), 'provider', p.provider,
      'status', case
        when p.pinned_at is not null then 'pinned'
        when exists (select from provenance.outbox o
          where o.project_id = p.project_id and o.id = p.job_id and o.state = 'pending') then 'pending'
        else 'failed' end) order by p.provider)
    from provenance.pin p
    where p.project_id = p_resource.project_id and p.cid = p_resource.cid
  ), '[]');
end
$$;
