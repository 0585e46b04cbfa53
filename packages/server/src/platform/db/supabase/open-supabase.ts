import { z } from 'zod';
import { type Database, toOutage } from '../database.js';
import { readFunctions, readMigrations } from '../layers.js';
import { describeFunctions } from '../schema-changes.js';
import {
  createRestCaller,
  NoSuchFunctionError,
  type RestCaller,
  type SupabaseLocation,
} from './call-over-rest.js';
import { type RunStatements, runForward, toStatement } from './run-forward.js';

/** Time limit of a response: the time limit of a statement (60 s) plus 5 s for the network. */
const TIMEOUT_MS = 65_000;
/** Required version of `door.sql`. The service also accepts a later version. */
const DOOR = 1;

const ranSchema = z.object({ rows: z.array(z.unknown()), digests: z.array(z.string()) });
const installedSchema = z.object({
  door: z.number(),
  isolation: z.string(),
  applied: z.record(z.string(), z.string()),
});

class NotInstalledError extends Error {
  constructor(what: string) {
    super(`${what}
Run the SQL that the first command prints in the SQL editor of the project, or use the second command. Then start the
service again.

  colophon supabase-sql
  colophon supabase-sql | psql '<the connection string of the project>'
`);
    this.name = 'NotInstalledError';
  }
}

/** All statements go through a function that `colophon supabase-sql` installs. Rejects if it is missing or too old. */
export async function openSupabase(
  place: SupabaseLocation,
  { timeoutMs = TIMEOUT_MS } = {},
): Promise<Database> {
  const caller = createRestCaller(place, timeoutMs);
  try {
    await assertInstalled(caller);
  } catch (error) {
    await caller.close();
    throw error;
  }
  const runStatements: RunStatements = async (statements, options) => {
    const ran = ranSchema.safeParse(await call(caller, 'colophon_run', { statements, ...options }));
    if (ran.success) return ran.data;
    throw toOutage('Supabase returned an answer that cannot be read.', ran.error);
  };
  return {
    engine: 'supabase',
    async query<Row>(text: string, parameters?: readonly unknown[]) {
      const { rows } = await runStatements([toStatement(text, parameters)], { seen: [], keep: true });
      return rows as Row[];
    },
    async transaction(run, options) {
      options?.signal?.throwIfAborted();
      return runForward(runStatements, run);
    },
    close: () => caller.close(),
  };
}

async function call(caller: RestCaller, name: string, parameters: object): Promise<unknown> {
  try {
    return await caller.call(name, parameters);
  } catch (error) {
    if (!(error instanceof NoSuchFunctionError)) throw error;
    throw toOutage('The schema of the records is not in Supabase.', error);
  }
}

async function assertInstalled(caller: RestCaller): Promise<void> {
  const installed = installedSchema.safeParse(await readInstalled(caller)).data;
  if (installed === undefined)
    throw new Error(
      'The server at SUPABASE_URL is not a Supabase project: set SUPABASE_URL to the project URL, such as https://<ref>.supabase.co',
    );
  const { door, isolation, applied } = installed;
  if (isolation !== 'read committed')
    throw new Error(
      `Supabase uses the isolation level ${isolation}: set default_transaction_isolation to "read committed".`,
    );
  const migrations = readMigrations('provenance');
  const missing = migrations.filter(({ name }) => applied[name] === undefined).map(({ name }) => name);
  if (missing.length > 0) throw new NotInstalledError(`The records in Supabase lack ${missing.join(', ')}.`);
  const changed = migrations.find(({ name, checksum }) => applied[name] !== checksum);
  if (changed !== undefined)
    throw new Error(`Migration provenance/${changed.name} was changed after it had been applied`);
  if (door < DOOR || !hasFunctions(applied))
    throw new NotInstalledError('The functions of the records in Supabase are those of an earlier version.');
}

/** Whether the functions of this or a later version are installed. */
function hasFunctions(applied: Readonly<Record<string, string>>): boolean {
  const { current, former } = describeFunctions(readFunctions('provenance'));
  const known = [current, ...readMigrations('provenance').map(({ name }) => name)];
  const isAhead = Object.keys(applied).some(
    (name) => !known.includes(name) && !name.startsWith(`${current} `),
  );
  return isAhead || applied[former] !== undefined;
}

async function readInstalled(caller: RestCaller): Promise<unknown> {
  try {
    return await caller.call('colophon_schema', {});
  } catch (error) {
    if (!(error instanceof NoSuchFunctionError)) throw error;
    throw new NotInstalledError(
      'The schema of the records is not in Supabase, or SUPABASE_SERVICE_KEY is not the service role key of the project.',
    );
  }
}
