-- See refuse_cycle(). An upload with aliases merges the histories of its CID and of its aliases.
create or replace function provenance.refuse_item_cycle(p_project uuid, p_item jsonb) returns jsonb
language plpgsql as $$
declare
  aliases constant text[] := array(select jsonb_array_elements_text(coalesce(p_item->'upload'->'aliases', '[]')));
  cid     constant text := p_item->'upload'->>'cid';
  sources text[] := provenance.resolve_all(p_project, p_item->'action'->'body'->'inputCids');
  alias   text;
  refusal jsonb;
begin
  if p_item ? 'longestWalk' then
    perform set_config('provenance.longest_walk', p_item->>'longestWalk', true);
  end if;
  foreach alias in array aliases loop
    sources := array_replace(sources, alias, cid);
    refusal := coalesce(provenance.refuse_cycle(p_project, array[alias], array[cid]),
      provenance.refuse_cycle(p_project, array[cid], array[alias]));
    if refusal is not null then return refusal; end if;
  end loop;
  return provenance.refuse_cycle(p_project, sources,
    provenance.resolve_all(p_project, p_item->'action'->'body'->'outputCids'));
end
$$;
