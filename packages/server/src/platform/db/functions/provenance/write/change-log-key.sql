-- p_handover is null when p_from was lost. Returns null when p_from is not the present key, or p_to was a key before.
create or replace function provenance.change_log_key(p_from bytea, p_to bytea, p_handover jsonb, p_digest bytea)
returns integer language plpgsql as $$
declare
  present provenance.log_key;
begin
  perform pg_advisory_xact_lock(hashtextextended('log keys', 1));
  select * into present from provenance.log_key k order by k.sequence desc limit 1;
  if present.public_key is distinct from p_from then return null; end if;
  if exists (select from provenance.log_key k where k.public_key = p_to) then return null; end if;
  insert into provenance.log_key (sequence, public_key, handover, digest)
  values (present.sequence + 1, p_to, p_handover, p_digest);
  return present.sequence + 1;
end
$$;
