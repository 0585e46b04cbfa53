-- Returns a refusal when an action from p_inputs to p_outputs would make content its own ancestor; null otherwise. Only
-- content that an action has consumed can be an ancestor. For consumed outputs, walks of growing length search the
-- ancestors of the inputs and the descendants of the outputs, until one of them is complete. When no walk could decide,
-- the refusal has the member `unchecked`: `history` when both histories are too long, `together` when the transaction
-- has already followed the maximum number of links, and `short` when the setting `provenance.longest_walk` shortened
-- the walks. The caller may repeat a `short` check without the setting.
create or replace function provenance.refuse_cycle(p_project uuid, p_inputs text[], p_outputs text[]) returns jsonb
language plpgsql as $$
declare
  usual    constant int := 10000;
  longest  int;
  -- Maximum number of links of all walks of a transaction together. Only the last walk may exceed it.
  most     int;
  followed int;
  is_up    boolean;
  walk     record;
  length   int;
begin
  if p_inputs && p_outputs then return jsonb_build_object('outcome', 'cycle'); end if;
  if cardinality(p_inputs) = 0 or not exists (
    select from unnest(p_outputs) as output(cid)
    where (select i.action_id from provenance.action_input i
           where i.project_id = p_project and i.cid = output.cid order by i.action_id limit 1) is not null
  ) then
    return null;
  end if;
  longest := coalesce(nullif(current_setting('provenance.longest_walk', true), '')::int, usual);
  most := 4 * longest;
  followed := coalesce(nullif(current_setting('provenance.followed_links', true), ''), '0');
  foreach length in array array[10, 100, 1000, usual] loop
    exit when length > longest;
    foreach is_up in array array[true, false] loop
      if followed >= most then
        return jsonb_build_object('outcome', 'cycle',
          'unchecked', case when longest < usual then 'short' else 'together' end);
      end if;
      if is_up then
        walk := provenance.leads_to(p_project, p_inputs, p_outputs, 'ancestors', length);
      else
        walk := provenance.leads_to(p_project, p_outputs, p_inputs, 'descendants', length);
      end if;
      followed := followed + walk.links;
      perform set_config('provenance.followed_links', followed::text, true);
      if walk.is_found then return jsonb_build_object('outcome', 'cycle'); end if;
      if walk.links < length then return null; end if;
    end loop;
  end loop;
  return jsonb_build_object('outcome', 'cycle',
    'unchecked', case when longest < usual then 'short' else 'history' end);
end
$$;
