-- Skips a batch that was added already, as add_usage() does.
create or replace function control.add_detections(p_meter uuid, p_number bigint, p_counts jsonb)
returns void language plpgsql as $$
begin
  insert into control.usage_batch as known (meter_id, number) values (p_meter, p_number)
  on conflict (meter_id) do update set number = excluded.number, at = now()
  where known.number < excluded.number;
  if not found then return; end if;
  insert into control.detection_day as known (project_id, day, layer, confidence, findings)
  select c."projectId", c.day, c.layer, c.confidence, c.findings
  from jsonb_to_recordset(p_counts) as c(
    "projectId" uuid, day date, layer text, confidence text, findings bigint)
  order by 1, 2, 3, 4
  on conflict (project_id, day, layer, confidence) do update
  set findings = known.findings + excluded.findings;
end
$$;
