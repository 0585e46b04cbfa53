// Measures the CPU that traces, webhooks, anchoring and the integrity check add to recordings.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { namedProjectId } from '../packages/server/dist/access/create-key.js';
import { startChain } from './support/chain.mjs';
import { startLoad } from './support/load.mjs';
import { startPostgres } from './support/postgres.mjs';
import { cpuSeconds } from './support/processes.mjs';
import { createPerformer, KEY, PROJECT, startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';
import { PERFORMER } from './support/typical-action.mjs';

const CALLERS = 32;
const ROUNDS = 5;
const SECONDS = 3;
const WITH_ALL = 'with a webhook, anchoring and the integrity check';
const WITH_WEBHOOK = 'with a webhook';
const AUDITED = { AUDIT_INTERVAL_MINUTES: '1' };
const MANAGEMENT_API_KEY = 'management-secret-of-the-bench';

export async function run(report) {
  report.section(
    `beside: CPU of POST /v1/action, ${CALLERS} callers, PostgreSQL with fsync, relative to the service alone`,
  );
  const postgres = await startPostgres();
  const load = startLoad();
  const listener = await startListener();
  const chain = await startChain();
  const services = {};
  try {
    const { environment: anchored } = await chain.deploy();
    const environments = {
      alone: {},
      [WITH_ALL]: { ...anchored, ...AUDITED },
      [WITH_WEBHOOK]: {},
      'with anchoring': anchored,
      'with the integrity check': AUDITED,
      'with every request traced': { OTEL_EXPORTER_OTLP_ENDPOINT: listener.url },
    };
    for (const [name, environment] of Object.entries(environments)) {
      const DATABASE_URL = await postgres.createDatabase(name.replaceAll(' ', '_'));
      const common = { MANAGEMENT_API_KEY, SECRETS_KEY: Buffer.alloc(32).toString('base64') };
      const needed = {
        ...common,
        ALLOW_PRIVATE_ADDRESSES: 'true',
        AUDIT_INTERVAL_MINUTES: '0',
        DATABASE_URL,
      };
      services[name] = await startService({ ...needed, ...environment });
      await createPerformer(services[name], { id: PERFORMER });
    }
    for (const name of [WITH_ALL, WITH_WEBHOOK]) await createWebhook(services[name], listener.url);
    await measure(report, { services, load, postgres });
    report.figure('requests to the webhook and to the trace collector', listener.count());
  } finally {
    for (const service of Object.values(services)) await service.stop();
    await load.stop();
    await postgres.stop();
    await chain.stop();
    listener.close();
  }
}

async function measure(report, { services, load, postgres }) {
  const micros = Object.fromEntries(Object.keys(services).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, { pid, port }] of Object.entries(services)) {
      const used = () => cpuSeconds(pid) + cpuSeconds(postgres.pid);
      const before = used();
      const { actions } = await load.run({ port, keys: Array(CALLERS).fill(KEY), seconds: SECONDS });
      // Round 0 loads and compiles code, so it does not count.
      if (round > 0) micros[name].push(((used() - before) / actions) * 1e6);
    }
  }
  const { alone, ...others } = micros;
  report.figure('CPU of an action alone, us', medianOf(alone));
  for (const [name, values] of Object.entries(others)) {
    const ratios = values.map((value, round) => value / alone[round]);
    const target = name === WITH_ALL ? { target: { atMost: 1.15 } } : {};
    report.figure(`${name}, ratio to the service alone`, medianOf(ratios), target);
  }
}

async function createWebhook({ base }, url) {
  const answer = await fetch(`${base}/management/projects/${namedProjectId(PROJECT)}/webhooks`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${MANAGEMENT_API_KEY}`,
      'x-user-id': 'operator',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ url }),
  });
  if (!answer.ok) throw new Error(`POST webhooks: ${answer.status} ${await answer.text()}`);
}

async function startListener() {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    request.resume().on('end', () => response.writeHead(200).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    count: () => requests,
    close: () => server.close().closeAllConnections(),
  };
}
