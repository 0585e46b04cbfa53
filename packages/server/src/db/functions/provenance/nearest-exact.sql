-- nearest() without an index: counts differing signs over all of the project's vectors, and takes the cosine of the
-- 512 pairs that differ least (measured in bench/similarity.md: of 100,000 vectors none of the nearest is missed).
create or replace function provenance.nearest_exact(p_project uuid, p_method text, p_asked jsonb, p_limit int)
  returns table (cid text, type text, turn int, cosine real, evidence bytea)
language sql stable as $$
  with asked as materialized (
    select (ordinality - 1)::int as turn, (value->>'signs')::bit varying as signs,
      array(select e::real from jsonb_array_elements_text(value->'embedding') with ordinality as t(e, n)
            order by n) as embedding
    from jsonb_array_elements(p_asked) with ordinality
  ),
  likely as materialized (
    select d.cid, asked.turn
    from provenance.descriptor d, asked
    where d.project_id = p_project and d.method = p_method and length(d.signs) = length(asked.signs)
    order by bit_count(d.signs # asked.signs), d.cid
    limit greatest(512, 8 * p_limit)
  ),
  -- Each `lateral (... offset 0)` is one look-up by key, whatever the planner believes of the table's size.
  measured as materialized (
    select likely.cid, likely.turn, pair.cosine
    from likely
    join asked on asked.turn = likely.turn,
      lateral (select d.embedding from provenance.descriptor d
               where d.project_id = p_project and d.method = p_method and d.cid = likely.cid offset 0) d,
      lateral (select sum(a * b)::real as cosine from unnest(d.embedding, asked.embedding) as u(a, b)) pair
    order by pair.cosine desc, likely.cid
    limit p_limit
  )
  select measured.cid, r.type, measured.turn, measured.cosine, d.evidence
  from measured,
    lateral (select d.evidence from provenance.descriptor d
             where d.project_id = p_project and d.method = p_method and d.cid = measured.cid offset 0) d,
    lateral (select r.type from provenance.resource r
             where r.project_id = p_project and r.cid = measured.cid offset 0) r
  order by measured.cosine desc, measured.cid
$$;
