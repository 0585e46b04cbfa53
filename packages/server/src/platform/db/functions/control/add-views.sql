-- Skips a batch that was added already, as add_usage() does.
create or replace function control.add_views(p_meter uuid, p_number bigint, p_counts jsonb)
returns void language plpgsql as $$
begin
  insert into control.usage_batch as known (meter_id, number) values (p_meter, p_number)
  on conflict (meter_id) do update set number = excluded.number, at = now()
  where known.number < excluded.number;
  if not found then return; end if;
  insert into control.publication_views as known (project_id, publication_id, views)
  select c."projectId", c.id, c.count
  from jsonb_to_recordset(p_counts) as c("projectId" uuid, id text, count bigint)
  order by 1, 2
  on conflict (project_id, publication_id) do update set views = known.views + excluded.views;
end
$$;
