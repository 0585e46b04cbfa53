-- Each node of a Citus cluster has the functions of this file. `place_functions` makes copies of the functions in
-- `functions/provenance`, one copy of each function for each shard. These copies and `run_on_shard` use the tables of
-- one shard directly. So a node plans each statement only once per connection and shard.

-- Returns the schema of the distributed tables, or of their copies during `colophon db distribute`.
create or replace function provenance.shard_schema() returns text
language sql stable as $$ select coalesce(nullif(current_setting('colophon.copies', true), ''), 'provenance') $$;

-- Replaces each name of a table in p_text by the name of its shard, and each name of a function by the name of its
-- copy. p_shard is a shard of the table `action`. Each other table has a shard for the same projects, on the same node.
create or replace function provenance.to_shard_text(p_shard bigint, p_text text) returns text
language plpgsql stable as $$
declare
  shown text := p_text;
  named record;
begin
  for named in
    select c.relname as name, s.shardid
    from pg_dist_partition p
    join pg_class c on c.oid = p.logicalrelid and c.relnamespace = provenance.shard_schema()::regnamespace
    join pg_dist_shard s on s.logicalrelid = p.logicalrelid
    where p.partmethod = 'n' or s.shardminvalue = (select a.shardminvalue from pg_dist_shard a where a.shardid = p_shard)
  loop
    shown := regexp_replace(shown, '\mprovenance\.' || named.name || '\M(?!\()',
      'provenance.' || named.name || '_' || named.shardid, 'g');
  end loop;
  return regexp_replace(shown, '\mprovenance\.(\w+)\(', 'provenance_' || p_shard || '.\1(', 'g');
end
$$;

-- Returns the shards of the table `action` on this node.
create or replace function provenance.local_shards() returns setof bigint
language sql stable as $$
  select s.shardid from pg_dist_shard s
  join pg_dist_placement p on p.shardid = s.shardid
  where s.logicalrelid = (provenance.shard_schema() || '.action')::regclass and p.groupid = (select g.groupid from pg_dist_local_group g)
  order by 1
$$;

-- p_sources is the SQL of the functions to copy, and p_version is its checksum. For each shard of this node, creates or
-- replaces a copy of each of these functions, and drops all other copies. Skips a shard whose copies already have this
-- checksum.
create or replace function provenance.place_functions(p_sources text[], p_version text) returns void
language plpgsql set check_function_bodies = off set citus.enable_ddl_propagation = off set client_min_messages = warning
as $$
declare
  shard  bigint;
  source text;
  shown  text;
  head   text;
  unused regprocedure;
begin
  perform pg_advisory_xact_lock(7230192);
  for shard in select * from provenance.local_shards() loop
    continue when obj_description(to_regnamespace('provenance_' || shard), 'pg_namespace') = p_version;
    execute format('create schema if not exists provenance_%s', shard);
    foreach source in array p_sources loop
      shown := provenance.to_shard_text(shard, source);
      -- `head` is the declaration of the function, without its body. PostgreSQL resolves the types of the declaration
      -- now, so `head` must name the schema that has the tables now. The body runs only later.
      head := split_part(shown, '$' || '$', 1);
      execute regexp_replace(head, '\mprovenance\.(\w+_\d+)\M', provenance.shard_schema() || '.\1', 'g')
        || substr(shown, length(head) + 1);
    end loop;
    -- Drops the copies of functions that are not in p_sources. This transaction has not written their catalog rows.
    for unused in select p.oid from pg_proc p
      where p.pronamespace = to_regnamespace('provenance_' || shard) and p.xmin <> pg_current_xact_id()::xid
    loop
      execute format('drop function %s', unused);
    end loop;
    execute format('comment on schema provenance_%s is %L', shard, p_version);
  end loop;
end
$$;

-- Runs the statement p_text on the shard of the project. The statement itself converts the texts in p_values to its
-- types. Two statements with different SQL must have different names; only the name `unnamed` may have any SQL. The
-- node prepares each named statement once per connection and shard.
create or replace function provenance.run_on_shard(p_project uuid, p_name text, p_text text, p_values text[])
returns setof text
language plpgsql set plan_cache_mode = force_generic_plan set jit = off set citus.enable_manual_changes_to_shards = on
as $$
declare
  shard    constant bigint := get_shard_id_for_distribution_column('provenance.action', p_project);
  name     constant text := format('c%s_%s', shard, p_name);
  setting  constant text := 'colophon.' || name;
  call     text;
  line     record;
begin
  -- A rollback undoes the setting, but keeps the prepared statement. Each call with the name `unnamed` can have other
  -- SQL, so such a statement is prepared again for each call.
  if p_name = 'unnamed' or coalesce(current_setting(setting, true), '') <> 'prepared' then
    if exists (select from pg_prepared_statements s where s.name = format('c%s_%s', shard, p_name)) then
      execute format('deallocate %I', name);
    end if;
    execute format('prepare %I as %s', name, provenance.to_shard_text(shard, p_text));
    if p_name <> 'unnamed' then
      perform set_config(setting, 'prepared', false);
    end if;
  end if;
  call := format('execute %I', name) || coalesce('(' || (
    select string_agg(quote_nullable(value), ', ' order by place)
    from unnest(p_values) with ordinality as given(value, place)) || ')', '');
  if p_text ~* '^\s*select\M' then
    for line in execute call loop
      return next row_to_json(line)::text;
    end loop;
    return;
  end if;
  begin
    for line in execute call loop
      return next row_to_json(line)::text;
    end loop;
  exception when invalid_cursor_definition then
    -- A loop cannot run a statement without a result, such as an insert without `returning`.
    execute call;
  end;
end
$$;

-- `note_changed_row` and `note_changed_anchor` replace the functions with these names in `functions/provenance`, which
-- a database without Citus uses.
create or replace function provenance.note_changed_row() returns trigger
language plpgsql set citus.enable_manual_changes_to_shards = on as $$
declare
  project constant uuid := case when tg_op = 'DELETE' then old.project_id else new.project_id end;
begin
  execute format('select provenance_%s.note_change($1)',
    get_shard_id_for_distribution_column('provenance.action', project)) using project;
  return null;
end
$$;

-- Each node has a copy of the changed row. The function increases the revisions of the projects of its node.
create or replace function provenance.note_changed_anchor() returns trigger
language plpgsql set citus.enable_manual_changes_to_shards = on as $$
declare
  shard   bigint;
  project uuid;
begin
  for shard in select * from provenance.local_shards() loop
    for project in execute provenance.to_shard_text(shard,
      'select distinct h.project_id from provenance.anchor_head h where h.anchor_id = $1 order by 1') using new.id
    loop
      execute format('select provenance_%s.note_change($1)', shard) using project;
    end loop;
  end loop;
  return null;
end
$$;
