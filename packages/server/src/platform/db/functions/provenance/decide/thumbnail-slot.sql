-- The slots in the cache of a project are 0 to 2047.
create or replace function provenance.thumbnail_slot(p_digest bytea) returns smallint
language sql immutable strict parallel safe as $$
  select ((get_byte(p_digest, 0) * 256 + get_byte(p_digest, 1)) % 2048)::smallint
$$;
