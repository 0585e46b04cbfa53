import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { writeInstall } from '../../../src/platform/db/supabase/write-install.js';
import { createEmptyDatabase, runSql } from '../postgres-databases.js';
import { type Postgrest, startPostgrest } from './postgrest.js';

/** PostgreSQL with Supabase's roles, behind PostgREST's protocol for functions. */
export interface Supabase {
  rest: Postgrest;
  serviceKey: string;
  anonKey: string;
  /** The owner is no superuser. */
  ownerUrl: string;
  /** The user may take the role of each caller. */
  authenticatorUrl: string;
  stop(): Promise<void>;
}

const makeKey = (kind: string) => `sb_${kind}_${randomBytes(16).toString('hex')}`;

const PASSWORD = 'of-the-tests';
const OWNER = 'supabase_owner';

const MAKE_ROLES = `do $$
begin
  perform pg_advisory_xact_lock(7230193);
  if not exists (select from pg_roles where rolname = 'authenticator') then
    create role anon nologin;
    create role authenticated nologin;
    create role service_role nologin bypassrls;
    create role authenticator login noinherit password '${PASSWORD}';
    grant anon, authenticated, service_role to authenticator;
    create role ${OWNER} login createrole password '${PASSWORD}';
  end if;
end $$`;

/** The project has the schema of the records unless `installed` is false. */
export async function startSupabase({ installed = true } = {}): Promise<Supabase> {
  const server = inject('postgresUrl');
  await runSql(server, MAKE_ROLES);
  const url = await createEmptyDatabase(server);
  await runSql(url, `alter schema public owner to ${OWNER}`);
  await runSql(url, 'grant usage on schema public to anon, authenticated, service_role');
  await runSql(url, `alter database "${new URL(url).pathname.slice(1)}" owner to ${OWNER}`);
  const [serviceKey, anonKey] = [makeKey('secret'), makeKey('publishable')];
  const ownerUrl = urlOf(url, OWNER);
  if (installed) await install(ownerUrl);
  const roles = { [serviceKey]: 'service_role', [anonKey]: 'anon' };
  const authenticatorUrl = urlOf(url, 'authenticator');
  const rest = await startPostgrest(authenticatorUrl, { roles });
  return { rest, serviceKey, anonKey, ownerUrl, authenticatorUrl, stop: () => rest.stop() };
}

/** Runs the SQL that `colophon supabase-sql` prints. */
export async function install(ownerUrl: string, sql = writeInstall('0.0.0')): Promise<void> {
  // Roles belong to the whole server, so two databases must not create them at the same time.
  await withLock(() => runSql(ownerUrl, sql));
}

async function withLock(run: () => Promise<unknown>): Promise<void> {
  const { Client } = (await import('pg')).default;
  const client = new Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(7230194)');
    await run();
  } finally {
    await client.end();
  }
}

function urlOf(url: string, user: string): string {
  const changed = new URL(url);
  changed.username = user;
  changed.password = PASSWORD;
  return changed.href;
}
