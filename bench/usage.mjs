// Measures the CPU that usage metering adds to a request, and the time of the SQL statement that writes a batch.
import { EventEmitter } from 'node:events';
import { meterUsage } from '../packages/server/dist/http/middleware/meter-usage.js';
import { createUsageMeter } from '../packages/server/dist/management/usage-meter.js';
import { openDatabases } from '../packages/server/dist/platform/db/open-databases.js';
import { startPostgres } from './support/postgres.mjs';
import { medianOf } from './support/statistics.mjs';

const ROUNDS = 7;
const CALLS = 100_000;
const KEYS = 100;
const PROJECTS = 50;
const LINES_OF_PROJECT = 100;

export async function run(report) {
  report.section('usage: cost of metering a request');
  const postgres = await startPostgres();
  const opened = [];
  try {
    const url = await postgres.createDatabase('usage');
    for (const [engine, place] of Object.entries({
      PGlite: { kind: 'memory' },
      PostgreSQL: { kind: 'postgresql', url, directUrl: undefined },
    })) {
      const databases = await openDatabases(place);
      opened.push(databases);
      const ms = await timeOfBatch(databases.control);
      report.note(`one batch of ${PROJECTS} projects, ${LINES_OF_PROJECT} lines each, ${engine}: ${ms} ms`);
    }
    const cpuUs = await cpuOfRequest(opened[0].control);
    report.figure('CPU added to a request', cpuUs, { unit: ' us', target: { atMost: 10 } });
  } finally {
    for (const databases of opened) await databases.close();
    await postgres.stop();
  }
}

/** The first round compiles code and does not count. */
async function cpuOfRequest(control) {
  const meter = createUsageMeter(control, { reportFailure: console.error, intervalMs: 1_000_000 });
  let onRequest;
  const app = { decorateRequest: () => {}, addHook: (_name, hook) => (onRequest = hook) };
  const totals = { add: () => {} };
  meterUsage(app, { meter, management: { deps: { totals } } });
  const rounds = [];
  for (let round = -1; round < ROUNDS; round++) {
    const exchanges = Array.from({ length: CALLS }, (_, n) => createExchange(n));
    const before = process.cpuUsage();
    for (const { request, reply } of exchanges) {
      onRequest(request, reply, () => {});
      reply.raw.emit('close');
    }
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) rounds.push((user + system) / CALLS);
    await meter.flush();
  }
  await meter.close();
  return medianOf(rounds);
}

function createExchange(n) {
  const raw = new EventEmitter();
  raw.headersSent = true;
  return {
    request: {
      method: 'GET',
      routeOptions: { url: '/v1/bundle/:cid' },
      principal: { projectId: uuidOf(n % 10), keyId: uuidOf(n % KEYS) },
    },
    reply: { raw, statusCode: 200, request: { raw: { socket: new EventEmitter() } } },
  };
}

/** The first 11 rounds fill the call log of each project to its maximum, and do not count. */
async function timeOfBatch(control) {
  const meter = createUsageMeter(control, { reportFailure: console.error, intervalMs: 1_000_000 });
  const times = [];
  for (let round = -11; round < ROUNDS; round++) {
    for (let n = 0; n < PROJECTS * LINES_OF_PROJECT; n++) {
      const call = { projectId: uuidOf(n % PROJECTS), keyId: uuidOf(n % KEYS), endpoint: 'GET /v1/actions' };
      meter.count({ ...call, status: 200, bytesStored: 0, actionsRecorded: 0, at: new Date() });
    }
    const startedMs = performance.now();
    await meter.flush();
    if (round >= 0) times.push(performance.now() - startedMs);
  }
  await meter.close();
  return Math.round(medianOf(times));
}

function uuidOf(n) {
  return `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
}
