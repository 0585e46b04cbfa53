-- Walks from p_from over at most p_limit links. A link joins an action to one of its contents. The walk is complete
-- when it followed fewer than p_limit links.
create or replace function provenance.leads_to(p_project uuid, p_from text[], p_to text[], p_direction text,
  p_limit int, out is_found boolean, out links int)
language plpgsql stable as $$
begin
  -- The recursion alternates between rows of content and rows of actions, and `union` removes duplicates. So the work
  -- grows with the number of links, not with the number of pairs of inputs and outputs. PostgreSQL runs the recursion
  -- only as far as `followed` reads its rows. `followed` reads all links of one row of `node` before it reads the next
  -- row. So the recursion ends when `followed` has p_limit links.
  with recursive node(action_id, cid) as (
      select null::uuid, unnest(p_from)
    union
      select next.action_id, next.cid
      from node, lateral provenance.links(p_project, node.action_id, node.cid, p_direction, p_limit) next
  ),
  followed as materialized (
    select next.cid
    from node, lateral provenance.links(p_project, node.action_id, node.cid, p_direction, p_limit) next
    limit p_limit
  )
  select exists (select from followed f where f.cid in (select unnest(p_to))), (select count(*) from followed)
  into is_found, links;
end
$$;
