-- Returns whether recording the item would make content its own ancestor. An upload with aliases merges the histories
-- of its CID and of its aliases.
create or replace function provenance.item_makes_cycle(p_project uuid, p_item jsonb) returns boolean
language plpgsql stable as $$
declare
  aliases constant text[] := array(select jsonb_array_elements_text(coalesce(p_item->'upload'->'aliases', '[]')));
  cid     constant text := p_item->'upload'->>'cid';
  sources text[] := provenance.resolve_all(p_project, p_item->'action'->'body'->'inputCids');
  alias   text;
begin
  foreach alias in array aliases loop
    sources := array_replace(sources, alias, cid);
    if provenance.creates_cycle(p_project, array[alias], array[cid])
      or provenance.creates_cycle(p_project, array[cid], array[alias])
    then
      return true;
    end if;
  end loop;
  return provenance.creates_cycle(p_project, sources,
    provenance.resolve_all(p_project, p_item->'action'->'body'->'outputCids'));
end
$$;
