-- Stores the key as the first key of the logs, if they have none. Returns the present key in hex.
create or replace function provenance.adopt_log_key(p_key bytea) returns text
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('log keys', 1));
  insert into provenance.log_key (sequence, public_key)
  select 0, p_key where not exists (select from provenance.log_key);
  return (select encode(k.public_key, 'hex') from provenance.log_key k order by k.sequence desc limit 1);
end
$$;
