-- Returns a refusal when the records that name p_aliases are too many or too large; null otherwise. link_alias()
-- changes all these records in one transaction, so the limits apply to all aliases of a transaction together.
-- `unchecked` is `references` when these aliases alone exceed a limit, and `together` when they exceed it with the
-- earlier aliases of the transaction.
create or replace function provenance.refuse_aliases(p_project uuid, p_aliases jsonb) returns jsonb
language plpgsql as $$
declare
  most       constant int := 1000;
  -- Maximum size of the actions among these records, as JSON.
  most_bytes constant bigint := 4194304;
  before     constant jsonb := coalesce(nullif(current_setting('provenance.linked', true), ''), '[0, 0]');
  weighed    record;
  alias      text;
  number     int := 0;
  bytes      bigint := 0;
begin
  for alias in select jsonb_array_elements_text(p_aliases) loop
    weighed := provenance.weigh_references(p_project, alias, most + 1);
    number := number + weighed.number;
    bytes := bytes + weighed.bytes;
    if number > most or bytes > most_bytes then
      return jsonb_build_object('outcome', 'cycle', 'unchecked', 'references', 'alias', alias);
    elsif number > 0 and (number + (before->>0)::int > most or bytes + (before->>1)::bigint > most_bytes) then
      return jsonb_build_object('outcome', 'cycle', 'unchecked', 'together', 'alias', alias);
    end if;
  end loop;
  if number > 0 then
    perform set_config('provenance.linked',
      jsonb_build_array(number + (before->>0)::int, bytes + (before->>1)::bigint)::text, true);
  end if;
  return null;
end
$$;
