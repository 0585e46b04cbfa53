create or replace function control.announce_change()
returns void
language plpgsql as $$
begin
  update control.change_count set count = count + 1;
  perform pg_notify('colophon_control', '');
end
$$;
