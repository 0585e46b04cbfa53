import { startReference } from '../reference/reference.mjs';
import { startPostgres, withClient } from '../support/postgres.mjs';
import { KEY, PROJECT, startService } from '../support/service.mjs';
import { busiestThread } from './cpu.mjs';
import { fill } from './fill.mjs';
import { addUnrelated } from './fill-by-sql.mjs';

const MOST_CALLERS = 64;
const MOST_OVER_HTTP = 20_000;

const COUNTING = ['shared_preload_libraries=pg_stat_statements'];

export const KEYS = [
  KEY,
  ...Array.from({ length: MOST_CALLERS - 1 }, (_, index) => `bench-key-${index + 1}`),
];

const API_KEYS = KEYS.map((key) => `${key}:${PROJECT}`).join(',');

export function startEmpty(environment = {}, root = undefined) {
  return startService({ API_KEYS, ...environment }, root);
}

/**
 * `store` names the engine, the number of unrelated records and the checkout. `asked.headers`: the response headers of
 * the reference. `asked.root`: another built checkout to run. With `asked.counted`, PostgreSQL counts the pages that
 * statements read.
 */
export function openEngine(engine, asked) {
  return OPEN[engine]({ ...asked, store: `${engine} ${asked.unrelated} ${asked.root ?? ''}` });
}

const OPEN = {
  async reference({ headers, store, ...asked }) {
    const server = await startReference(headers);
    await orStop(server, () => fill(server, asked));
    return { ...server, store };
  },

  async embedded({ store, root, ...asked }) {
    const service = await startEmpty({}, root);
    await orStop(service, () => fill(service, asked));
    return { ...service, store, databaseThread: busiestThread(service.pid) };
  },

  async postgres({ store, root, counted, ...asked }) {
    const postgres = await startPostgres({ settings: counted ? COUNTING : [] });
    return orStop(postgres, async () => {
      const url = await postgres.createDatabase('main_job');
      const service = await startEmpty({ DATABASE_URL: url }, root);
      await orStop(service, () => fillPostgres(service, { url, counted, ...asked }));
      const stop = async () => {
        await service.stop();
        await postgres.stop();
      };
      return { ...service, store, url, counted, databasePid: postgres.pid, stop };
    });
  },
};

/** `vacuum analyze` creates the statistics that autovacuum would create later. */
async function fillPostgres(service, { url, counted, unrelated, texts }) {
  const bySql = unrelated > MOST_OVER_HTTP;
  await fill(service, { unrelated: bySql ? 0 : unrelated, texts });
  if (bySql) await addUnrelated(url, unrelated);
  await withClient(url, (client) => client.query('vacuum analyze'));
  if (counted) await withClient(url, (client) => client.query('create extension pg_stat_statements'));
}

async function orStop(server, run) {
  try {
    return await run();
  } catch (error) {
    await server.stop();
    throw error;
  }
}
