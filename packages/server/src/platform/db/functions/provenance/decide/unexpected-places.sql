-- The places, from 1, of items that cannot be written as they are: something that they rely on is not as expected.
-- p_expected maps each value that the items name to the places that name it; absent kinds are not expected:
--   apart       [place]: known to need a decision
--   entities    must exist
--   brought     [{place, id, given}]: an upload's entity must exist and have these values
--   names       content that must be named by its canonical CID
--   outputs     of actions that have inputs: no action may have used them
--   uploads     names of uploaded content: no resource may have them
--   aliases     other names of uploaded content: no action may have used them
--   inputs      that must be known
--   ids, scopes, signatures   that must be new
-- Each look-up is a scalar subquery, which PostgreSQL answers by one index probe at every size of the table. Called
-- under the project's lock.
create or replace function provenance.unexpected_places(p_project uuid, p_expected jsonb) returns int[]
language plpgsql stable as $$
begin
  return array(
    select distinct place::int from (
      select p_expected->'apart' as places
      union all
      select named.value from jsonb_each(p_expected->'entities') named
      where (select e.id from provenance.entity e where e.project_id = p_project and e.id = named.key) is null
      union all
      select jsonb_build_array(b.place)
      from jsonb_to_recordset(p_expected->'brought') as b(place int, id text, given jsonb)
      where (select e.id from provenance.entity e
        where e.project_id = p_project and e.id = b.id and e.erasure is null and not exists (
          select from jsonb_each(b.given) field where e.body->field.key is distinct from field.value)) is null
      union all
      select named.value from jsonb_each(p_expected->'names') named
      -- Most projects have no aliases at all.
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
end
$$;
