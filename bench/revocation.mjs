// Time from the response to a revocation until the same node and another node reject the key.
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from './support/postgres.mjs';
import { startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';

const ROUNDS = 20;
const SECRET = 'mk_live_of-the-benchmark';
/** Requests that make the other node cache the key. */
const WARM_UP = 3;

export async function run(report) {
  report.section(
    'revocation: ms from the response on one node to the first rejection, on this node and on another',
  );
  const postgres = await startPostgres();
  try {
    for (const way of ['LISTEN', 'polling']) await measure(report, { postgres, way });
  } finally {
    await postgres.stop();
  }
}

async function measure(report, { postgres, way }) {
  const url = await postgres.createDatabase(`revocation_${way.toLowerCase()}`);
  const environment = {
    DATABASE_URL: url,
    MANAGEMENT_API_KEY: SECRET,
    ...(way === 'LISTEN' ? { DATABASE_DIRECT_URL: url } : {}),
  };
  const here = await startService(environment);
  const there = await startService(environment);
  try {
    const projectId = await makeProject(here);
    const latencies = { here: [], there: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const { id, key } = await manage(here, '/api-keys', { projectId, name: 'bench' });
      for (let count = 0; count < WARM_UP; count++) await statusOf(there, key);
      // The node polls every 0.4 s, so the measurement starts at a random time between two polls.
      await sleep(Math.random() * 400);
      await manage(here, `/api-keys/${id}`);
      const [own, other] = await Promise.all([here, there].map((node) => msUntilRefused(node, key)));
      latencies.here.push(own);
      latencies.there.push(other);
    }
    report.figure(`same node, maximum, ${way}`, Math.max(...latencies.here), { unit: ' ms' });
    report.figure(`other node, median, ${way}`, medianOf(latencies.there), { unit: ' ms' });
    const target = { atMost: 1_000 };
    report.figure(`other node, maximum, ${way}`, Math.max(...latencies.there), { unit: ' ms', target });
  } finally {
    await Promise.all([here.stop(), there.stop()]);
  }
}

async function msUntilRefused(node, key) {
  const startedMs = performance.now();
  while ((await statusOf(node, key)) !== 401) await sleep(1);
  return performance.now() - startedMs;
}

async function statusOf({ base }, key) {
  const answer = await fetch(`${base}/v1/entity/none`, { headers: { authorization: `Bearer ${key}` } });
  await answer.arrayBuffer();
  return answer.status;
}

async function makeProject(node) {
  await manage(node, '/orgs', { name: 'Bench', slug: 'bench' });
  return (await manage(node, '/projects', { orgSlug: 'bench', name: 'Bench' })).id;
}

async function manage({ base }, path, body) {
  const method = body === undefined ? 'DELETE' : 'POST';
  const answer = await fetch(`${base}/management${path}`, {
    method,
    headers: {
      authorization: `Bearer ${SECRET}`,
      'x-user-id': 'bench',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
