-- The previous version calls this function while both versions use one database. Delete this file in the next version.
-- Returns the p_limit pairs of a stored and a requested vector that are probably the nearest. `turn` is the position of
-- the requested vector, from 0. `vector` is the stored vector, as base64 of PostgreSQL's binary form. The distance is
-- the sum of the weights of all differing signs. `p_asked` is `[{signs, parts: [{mask, weight}]}]`. The `mask` of each
-- part selects a quarter of the signs. Its `weight` is the mean absolute value of the numbers with these signs.
create or replace function provenance.likely_near(p_project uuid, p_method text, p_asked jsonb, p_limit int)
  returns table (cid text, turn int, vector text)
language sql stable as $$
  with asked as materialized (
    select (ordinality - 1)::int as turn, (value->>'signs')::bit varying as signs,
      (value #>> '{parts,0,mask}')::bit varying as mask1, (value #>> '{parts,0,weight}')::float8 as weight1,
      (value #>> '{parts,1,mask}')::bit varying as mask2, (value #>> '{parts,1,weight}')::float8 as weight2,
      (value #>> '{parts,2,mask}')::bit varying as mask3, (value #>> '{parts,2,weight}')::float8 as weight3,
      (value #>> '{parts,3,mask}')::bit varying as mask4, (value #>> '{parts,3,weight}')::float8 as weight4
    from jsonb_array_elements(p_asked) with ordinality
  ),
  likely as materialized (
    select d.cid, asked.turn
    from provenance.descriptor d, asked, lateral (select d.signs # asked.signs as differing offset 0) s
    where d.project_id = p_project and d.method = p_method and length(d.signs) = length(asked.signs)
    order by weight1 * bit_count(differing & mask1) + weight2 * bit_count(differing & mask2)
      + weight3 * bit_count(differing & mask3) + weight4 * bit_count(differing & mask4), d.cid
    limit p_limit
  )
  -- `offset 0` makes the planner look up each embedding by key at every table size.
  select likely.cid, likely.turn, encode(array_send(d.embedding), 'base64')
  from likely,
    lateral (select d.embedding from provenance.descriptor d
             where d.project_id = p_project and d.method = p_method and d.cid = likely.cid offset 0) d
$$;
