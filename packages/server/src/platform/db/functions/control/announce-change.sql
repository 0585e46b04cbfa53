-- Notifies every node of changed keys or projects when the transaction commits.
create or replace function control.announce_change()
returns void
language plpgsql as $$
begin
  update control.change_count set count = count + 1;
  perform pg_notify('colophon_control', '');
end
$$;
