// CPU of this process for the common part of every request: key look-up, rate limit and validation.
import { actionInputSchema } from '@colophon/model';
import { keyDigest } from '../packages/server/dist/access/api-key.js';
import {
  createAuthenticate,
  createLookForKey,
  enrolStaticKeys,
} from '../packages/server/dist/access/authenticate.js';
import { createNamedProjectKey } from '../packages/server/dist/access/create-key.js';
import { createKeyCache } from '../packages/server/dist/access/key-cache.js';
import { createLimiter } from '../packages/server/dist/access/limiter.js';
import { readPrincipal } from '../packages/server/dist/control/api-keys.sql.js';
import { watchChanges } from '../packages/server/dist/control/watch-changes.js';
import { openDatabases } from '../packages/server/dist/platform/db/open-databases.js';
import { cidOf } from './support/content-ids.mjs';
import { startPostgres } from './support/postgres.mjs';
import { KEY, PROJECT } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';
import { toActionBody } from './support/typical-action.mjs';

const ROUNDS = 7;
const CONCURRENT = 8;

export async function run(report) {
  report.section(
    'requests: CPU microseconds of this process per call. They include PGlite, but not the PostgreSQL server',
  );
  const postgres = await startPostgres();
  const opened = [];
  try {
    const url = await postgres.createDatabase('requests');
    const parts = { ...pureParts() };
    for (const [engine, place] of Object.entries({
      PGlite: { kind: 'memory' },
      PostgreSQL: { kind: 'postgresql', url, directUrl: undefined },
    })) {
      const databases = await openDatabases(place);
      opened.push(databases);
      Object.assign(parts, await lookUps(databases.control, engine));
    }
    const costs = await measure(parts);
    for (const [name, us] of Object.entries(costs)) report.note(`${name}: ${us.toFixed(1)} us`);
    for (const engine of ['PGlite', 'PostgreSQL']) judge(report, costs, engine);
    report.figure('validation / JSON.parse of the same body', costs.validate / costs.parse);
  } finally {
    for (const databases of opened) await databases.close();
    await postgres.stop();
  }
}

function judge(report, costs, engine) {
  const others = costs.take + costs.parse + costs.validate;
  const terms = { unit: ' us', target: { atMost: 300 } };
  const sum = (key) => costs[`${key}, ${engine}`] + others;
  report.figure(`cached key on ${engine} + limit + validation`, sum('cached key'), terms);
  // The service looks up each key once a minute, and after a change.
  report.figure(`looked-up key on ${engine} + limit + validation`, sum('looked-up key'), { unit: ' us' });
  const ratio = costs[`looked-up key, ${engine}`] / costs[`select 1, ${engine}`];
  report.figure(`looked-up key / \`select 1\`, ${engine}`, ratio);
}

/** `calls` is the number of calls in a round. A call may return a promise. */
function pureParts() {
  const limiter = createLimiter({ perMinute: 1_000_000, burst: 0 });
  const text = JSON.stringify(
    toActionBody({ inputs: [cidOf('input 1'), cidOf('input 2')], output: cidOf('output'), sessionId: 'one' }),
  );
  const body = JSON.parse(text);
  return {
    take: { calls: 100_000, call: () => limiter.take('a key') },
    parse: { calls: 50_000, call: () => JSON.parse(text) },
    validate: { calls: 10_000, call: () => actionInputSchema.parse(body) },
  };
}

/** No look-up in the database can be faster than `select 1`. */
async function lookUps(control, engine) {
  const staticPrincipals = await enrolStaticKeys(control, [{ key: KEY, projectName: PROJECT }]);
  const watch = watchChanges(control, () => keys.clear());
  const keys = createKeyCache(createLookForKey(control, staticPrincipals), watch);
  const authenticate = createAuthenticate(staticPrincipals, keys);
  const { key } = await createNamedProjectKey(control, {
    projectName: PROJECT,
    name: 'bench',
    permission: 'write',
  });
  const calls = 2_000;
  return {
    [`static key, ${engine}`]: { calls: 50_000, call: () => authenticate(`Bearer ${KEY}`) },
    [`cached key, ${engine}`]: { calls: 50_000, call: () => authenticate(`Bearer ${key}`) },
    [`looked-up key, ${engine}`]: { calls, call: () => readPrincipal(control, keyDigest(key)) },
    [`select 1, ${engine}`]: { calls, call: () => control.query('select 1') },
  };
}

/** The first round compiles code and does not count. */
async function measure(parts) {
  const rounds = Object.fromEntries(Object.keys(parts).map((name) => [name, []]));
  for (let round = -1; round < ROUNDS; round++)
    for (const [name, part] of Object.entries(parts)) {
      const us = await cpuOfCall(part);
      if (round >= 0) rounds[name].push(us);
    }
  return Object.fromEntries(Object.entries(rounds).map(([name, values]) => [name, medianOf(values)]));
}

async function cpuOfCall({ calls, call }) {
  const before = process.cpuUsage();
  let left = calls;
  const worker = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
