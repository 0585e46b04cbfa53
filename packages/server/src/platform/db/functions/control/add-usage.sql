-- Skips a batch that was added already. Each meter numbers its batches in ascending order.
create or replace function control.add_usage(p_meter uuid, p_number bigint, p_counts jsonb, p_lines jsonb)
returns void language plpgsql as $$
begin
  insert into control.usage_batch as known (meter_id, number) values (p_meter, p_number)
  on conflict (meter_id) do update set number = excluded.number, at = now()
  where known.number < excluded.number;
  if not found then return; end if;
  perform control.add_counts(p_counts);
  perform control.add_log_lines(p_lines);
  perform control.note_used_keys(p_counts);
  -- A meter that sent nothing for 30 days belongs to a process that has ended.
  delete from control.usage_batch b where b.meter_id in (
    select old.meter_id from control.usage_batch old
    where old.at < now() - interval '30 days' for update skip locked);
end
$$;
