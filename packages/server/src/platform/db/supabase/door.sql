-- `colophon_run` and `colophon_schema` run as the role colophon_records, which can only use rows, sequences and
-- functions of the schema provenance. Only the service key of Supabase may call them.
do $door$
begin
  if not exists (select from pg_roles where rolname = 'colophon_records') then
    create role colophon_records nologin;
  end if;
end
$door$;
grant colophon_records to current_user;

revoke all on schema provenance from public;
revoke all on all functions in schema provenance from public;
grant usage on schema provenance to colophon_records;
grant select, insert, update, delete on all tables in schema provenance to colophon_records;
grant usage, select on all sequences in schema provenance to colophon_records;
grant execute on all functions in schema provenance to colophon_records;
-- Tables and functions of later migrations over a direct connection get the same rights.
alter default privileges in schema provenance grant select, insert, update, delete on tables to colophon_records;
alter default privileges in schema provenance grant execute on functions to colophon_records;

-- p_values are texts, and the statement converts them. `prepare` accepts only statements that read or write rows.
create or replace function provenance.run_over_rest(p_text text, p_values json) returns text[]
language plpgsql as $door$
declare
  call text := 'execute colophon_statement' || coalesce((
    select '(' || string_agg(quote_nullable(value), ', ' order by ordinality) || ')'
    from json_array_elements_text(p_values) with ordinality), '');
  answer text[] := '{}';
  line record;
begin
  if strpos(p_text, ';') > 0 then
    raise exception 'One statement at a time' using errcode = 'syntax_error';
  end if;
  -- A rollback does not remove prepared statements, so the one of a failed call still exists.
  if exists (select from pg_prepared_statements where name = 'colophon_statement') then
    deallocate colophon_statement;
  end if;
  execute 'prepare colophon_statement as ' || p_text;
  begin
    for line in execute call loop
      answer := array_append(answer, row_to_json(line)::text);
    end loop;
  exception when invalid_cursor_definition then
    -- A loop cannot run a statement without a result, such as an insert without `returning`.
    execute call;
  end;
  deallocate colophon_statement;
  return answer;
end
$door$;
revoke all on function provenance.run_over_rest(text, json) from public;
grant execute on function provenance.run_over_rest(text, json) to colophon_records;

-- Runs statements in one transaction and returns the rows of the last one. Fails with serialization_failure when the
-- digest of a statement's rows differs from the one in `seen`. When `keep` is false, all writes are rolled back.
create or replace function public.colophon_run(statements json, seen json, keep boolean) returns json
language plpgsql security definer as $door$
declare
  compared boolean := not keep or json_array_length(seen) > 0;
  answer text[];
  digests text[] := '{}';
  place int := 0;
  statement json;
begin
  begin
    for statement in select value from json_array_elements(statements) with ordinality order by ordinality loop
      answer := provenance.run_over_rest(statement->>'text', statement->'values');
      if compared then
        digests := array_append(digests,
          encode(sha256(convert_to(array_to_string(answer, ','), 'UTF8')), 'hex'));
        if seen->>place <> digests[place + 1] then
          raise exception 'Rows that the transaction had read were changed by another transaction' using errcode = 'serialization_failure';
        end if;
      end if;
      place := place + 1;
    end loop;
    if not keep then
      raise exception 'Nothing is kept' using errcode = 'CL001';
    end if;
  exception when sqlstate 'CL001' then null;
  end;
  return json_build_object('rows', ('[' || array_to_string(answer, ',') || ']')::json, 'digests', to_json(digests));
end
$door$;

create or replace function public.colophon_schema() returns json
language sql stable security definer as $door$
  select json_build_object(
    'door', 1,
    'isolation', current_setting('transaction_isolation'),
    'applied', (select json_object_agg(name, checksum) from provenance.schema_change))
$door$;

-- The search path needs the schema of the extension pgvector, if it is installed.
do $door$
declare
  of_vector text := (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace
                     where e.extname = 'vector');
  path text := concat_ws(', ', 'pg_catalog', quote_ident(of_vector), 'pg_temp');
begin
  if of_vector is not null then
    execute format('grant usage on schema %I to colophon_records', of_vector);
  end if;
  execute format('alter function public.colophon_run(json, json, boolean) set search_path = %s', path);
  execute format('alter function public.colophon_schema() set search_path = %s', path);
end
$door$;
alter function public.colophon_run(json, json, boolean) set statement_timeout = '60s';

-- The new owner of a function in the schema public needs the right to create there. It is revoked below.
grant usage, create on schema public to colophon_records;
alter function public.colophon_run(json, json, boolean) owner to colophon_records;
alter function public.colophon_schema() owner to colophon_records;
revoke create on schema public from colophon_records;
revoke all on function public.colophon_run(json, json, boolean) from public, anon, authenticated;
revoke all on function public.colophon_schema() from public, anon, authenticated;
grant execute on function public.colophon_run(json, json, boolean) to service_role;
grant execute on function public.colophon_schema() to service_role;
