import { readFileSync } from 'node:fs';
import { readFunctions, readMigrations, type SqlFile } from '../layers.js';
import { describeFunctions, toEnterSql } from '../schema-changes.js';

/** Returns SQL that makes the same changes as `migrate`, in one transaction. It can run any number of times. */
export function writeInstall(version: string): string {
  const migrations = readMigrations('provenance');
  const door = readFileSync(new URL('./door.sql', import.meta.url), 'utf8');
  return [
    `-- Colophon ${version}: the records in Supabase. Run the complete file once for each new version.`,
    `begin;\n${toEnterSql('provenance')}`,
    writeLock(migrations),
    ...migrations.map(writeMigration),
    writeFunctions(migrations),
    door.trim(),
    `notify pgrst, 'reload schema';`,
    'commit;',
    '',
  ].join('\n\n');
}

/**
 * In this one transaction, an index is built before another one is dropped. Without the locks, the drop could deadlock
 * with a recording that waits for the build.
 */
function writeLock(migrations: readonly SqlFile[]): string {
  return `do $install$
begin
  if to_regclass('provenance.action') is not null and not exists (
    select from provenance.schema_change where name = '${migrations.at(-1)?.name}') then
    lock table provenance.action, provenance.attribution, provenance.resource in access exclusive mode;
  end if;
end
$install$;`;
}

function writeMigration({ name, sql, checksum }: SqlFile): string {
  return `do $install$
declare
  applied text := (select checksum from provenance.schema_change where name = '${name}');
begin
  if applied is null then
    execute $migration$
${sql}$migration$;
    insert into provenance.schema_change (name, checksum) values ('${name}', '${checksum}');
  elsif applied <> '${checksum}' then
    raise exception 'Migration provenance/${name} was changed after it had been applied';
  end if;
end
$install$;`;
}

/** Functions of a later version stay, as in `migrate`. */
function writeFunctions(migrations: readonly SqlFile[]): string {
  const functions = readFunctions('provenance');
  const { current, former, checksum } = describeFunctions(functions);
  const known = migrations.map(({ name }) => `'${name}'`).join(', ');
  return `do $install$
begin
  if exists (select from provenance.schema_change
             where name not in ('${current}', ${known}) and name not like '${current} %')
    or exists (select from provenance.schema_change
               where name = '${former}' or (name = '${current}' and checksum = '${checksum}')) then
    return;
  end if;
  perform set_config('check_function_bodies', 'off', true);
${functions.map(({ sql }) => `  execute $function$\n${sql}$function$;`).join('\n')}
  insert into provenance.schema_change (name, checksum)
  values ('${current}', '${checksum}'), ('${former}', '${checksum}')
  on conflict (name) do update set checksum = excluded.checksum, applied_at = now();
end
$install$;`;
}
