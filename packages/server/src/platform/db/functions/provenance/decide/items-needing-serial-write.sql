-- Returns the positions (from 1) of items that need decide(), because the database does not satisfy their conditions in
-- p_expected. Each member of p_expected can be absent. A member maps each value to the positions of the items that
-- contain it, unless this list says otherwise:
--   apart                    [position]: the caller already knows that these items need decide()
--   entities                 ids of entities that must exist or be in newEntities
--   newEntities              ids of entities that must not exist
--   brought                  [{place, id, given}]: the entity `id` of an upload must exist with the values in `given`,
--                            and must not be erased
--   names                    content identifiers that must not be aliases
--   attributed               content identifiers of attributions, which must not be aliases
--   outputs                  outputs of actions that have inputs: no action may have consumed them
--   uploads                  identifiers of uploaded content: no resource may have them
--   aliases                  aliases of uploaded content: no action may have consumed them
--   inputs                   content that must be known
--   actions                  ids of actions that must exist
--   chained                  [{place, maker}]: the item at the position `place` refers to the action or to a content of
--                            the item at the position `maker`
--   ids, scopes, signatures  values that must be new
-- Each look-up is a scalar subquery, so that PostgreSQL uses one index probe at every table size. A caller that writes
-- items after this check holds the project's lock during the check and the write.
create or replace function provenance.items_needing_serial_write(p_project uuid, p_expected jsonb) returns int[]
language plpgsql stable as $$
declare
  positions int[];
  link      record;
begin
  positions := array(
    select distinct place::int from (
      select p_expected->'apart' as places
      union all
      select named.value from jsonb_each(p_expected->'entities') named
      where (select e.id from provenance.entity e where e.project_id = p_project and e.id = named.key) is null
        and not coalesce(p_expected->'newEntities' ? named.key, false)
      union all
      select named.value from jsonb_each(p_expected->'newEntities') named
      where (select e.id from provenance.entity e where e.project_id = p_project and e.id = named.key) is not null
      union all
      select jsonb_build_array(b.place)
      from jsonb_to_recordset(p_expected->'brought') as b(place int, id text, given jsonb)
      where (select e.id from provenance.entity e
        where e.project_id = p_project and e.id = b.id and e.erasure is null and not exists (
          select from jsonb_each(b.given) field where e.body->field.key is distinct from field.value)) is null
      union all
      select named.value
      from (
        select * from jsonb_each(p_expected->'names') union all select * from jsonb_each(p_expected->'attributed')
      ) named
      -- Ends the check early for a project without aliases.
      where (select a.alias from provenance.content_alias a
          where a.project_id = p_project order by a.alias limit 1) is not null
        and (select a.alias from provenance.content_alias a
          where a.project_id = p_project and a.alias = named.key) is not null
      union all
      select named.value from jsonb_each(p_expected->'outputs') named
      where (select i.cid from provenance.action_input i
        where i.project_id = p_project and i.cid = named.key order by i.action_id limit 1) is not null
      union all
      select named.value from jsonb_each(p_expected->'uploads') named
      where (select r.cid from provenance.resource r
        where r.project_id = p_project and r.cid = named.key) is not null
      union all
      select named.value from jsonb_each(p_expected->'aliases') named
      where (select i.cid from provenance.action_input i
        where i.project_id = p_project and i.cid = named.key order by i.action_id limit 1) is not null
      union all
      select named.value from jsonb_each(p_expected->'inputs') named
      where (select r.cid from provenance.resource r
          where r.project_id = p_project and r.cid = named.key) is null
        and (select i.cid from provenance.action_input i
          where i.project_id = p_project and i.cid = named.key order by i.action_id limit 1) is null
      union all
      select named.value from jsonb_each(p_expected->'actions') named
      where (select a.id from provenance.action a
        where a.project_id = p_project and a.id = named.key::uuid) is null
      union all
      select named.value from jsonb_each(p_expected->'ids') named
      where (select a.id from provenance.action a
        where a.project_id = p_project and a.id = named.key::uuid) is not null
      union all
      select named.value from jsonb_each(p_expected->'scopes') named
      where (select i.scope from provenance.idempotency i
        where i.project_id = p_project and i.scope = decode(named.key, 'hex')) is not null
      union all
      select named.value from jsonb_each(p_expected->'signatures') named
      where (select u.action_id from provenance.proof_use u
          where u.project_id = p_project and u.signature = decode(named.key, 'hex')) is not null
        or (select e.action_id from provenance.ownership_event e
          where e.project_id = p_project and e.signature = decode(named.key, 'hex')) is not null
    ) unexpected,
      lateral jsonb_array_elements(unexpected.places) as place
    order by 1);
  -- decide() can refuse the maker, so the item that depends on it also needs decide().
  if positions <> '{}' and p_expected ? 'chained' then
    for link in
      select * from jsonb_to_recordset(p_expected->'chained') as c(place int, maker int) order by c.place
    loop
      if link.maker = any(positions) then positions := positions || link.place; end if;
    end loop;
  end if;
  return positions;
end
$$;
