-- Returns the size of a cosigned tree with at least p_min_size leaves, or null if there is none. If all p_witnesses
-- cosigned the newest such tree, returns its size. Otherwise compares the newest tree with the last 20 trees of each
-- witness, and returns the size of the tree with the most cosignatures of p_witnesses. Of two trees with equally many
-- cosignatures, returns the size of the newer one.
create or replace function provenance.cosigned_size(p_project uuid, p_min_size bigint, p_witnesses text[])
returns bigint language plpgsql stable as $$
declare
  newest bigint;
begin
  select max(c.size) into newest from provenance.cosignature c where c.project_id = p_project and c.size >= p_min_size;
  if newest is null or cardinality(p_witnesses) <= (
    select count(*) from provenance.cosignature c
    where c.project_id = p_project and c.size = newest and c.witness = any(p_witnesses)
  ) then
    return newest;
  end if;
  return (
    select tree.size from (
      select newest as size
      union
      select last.size from unnest(p_witnesses) as w(key) cross join lateral (
        select c.size from provenance.cosignature c
        where c.project_id = p_project and c.witness = w.key and c.size >= p_min_size
        order by c.size desc limit 20
      ) last
    ) tree
    cross join lateral (
      select count(*) as lines from provenance.cosignature c
      where c.project_id = p_project and c.size = tree.size and c.witness = any(p_witnesses)
    ) found
    order by found.lines desc, tree.size desc limit 1
  );
end
$$;
