// Recording in batches over HTTP on PostgreSQL, against recording one by one and against pgbench.
import { namedProjectId } from '../packages/server/dist/access/create-key.js';
import { captureItem } from './support/captured-item.mjs';
import { startLoad } from './support/load.mjs';
import { runPgbench, SCRIPTED_BODY } from './support/pgbench.mjs';
import { startPostgres } from './support/postgres.mjs';
import { cpuSeconds } from './support/processes.mjs';
import { createPerformer, KEY, PROJECT, startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';
import { PERFORMER } from './support/typical-action.mjs';

const CALLERS = 32;
const BATCH_CALLERS = 4;
const SIZES = [10, 100, 1000];
const ROUNDS = 3;
const SECONDS = 3;
const DATABASE = 'batch';

/** Rounds of all cases, one after the other, so that a slow minute of the machine hits all of them. */
export async function run(report) {
  report.section('batch: POST /v1/batch, PostgreSQL with fsync, one project');
  const postgres = await startPostgres();
  const load = startLoad();
  let service;
  try {
    service = await startService({ DATABASE_URL: await postgres.createDatabase(DATABASE) });
    await createPerformer(service, { id: PERFORMER });
    const item = await captureItem(SCRIPTED_BODY);
    const http = (callers, batchOf) => () =>
      load.run({ port: service.port, keys: Array(callers).fill(KEY), seconds: SECONDS, batchOf });
    const projects = [namedProjectId(PROJECT)];
    const pgbench = {
      database: DATABASE,
      projects,
      item,
      mode: 'prepared',
      clients: CALLERS,
      seconds: SECONDS,
    };
    const cases = {
      pgbench: () => runPgbench(postgres, pgbench),
      single: http(CALLERS),
      ...Object.fromEntries(SIZES.map((size) => [`batches of ${size}`, http(BATCH_CALLERS, size)])),
    };
    await measure(report, cases, { service, postgres });
  } finally {
    await service?.stop();
    await load.stop();
    await postgres.stop();
  }
}

async function measure(report, cases, { service, postgres }) {
  const results = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, work] of Object.entries(cases)) {
      const before = [cpuSeconds(service.pid), cpuSeconds(postgres.pid)];
      const result = await work();
      const [serviceUs, databaseUs] = [cpuSeconds(service.pid), cpuSeconds(postgres.pid)].map(
        (value, index) => ((value - before[index]) / result.actions) * 1e6,
      );
      results[name].push({ ...result, serviceUs, databaseUs });
    }
  }
  for (const [name, rounds] of Object.entries(results)) {
    const of = (member) => Math.round(medianOf(rounds.map((round) => round[member])));
    const wait = rounds[0].p99Ms === undefined ? '' : `; p99 ${of('p99Ms')} ms`;
    const cpu = `CPU us an action: service ${of('serviceUs')}, database ${of('databaseUs')}`;
    report.note(
      `${name}: ${rounds.map(({ perSecond }) => Math.round(perSecond)).join(', ')} actions/s; ${cpu}${wait}`,
    );
  }
  const ratio = (name, floor) =>
    medianOf(results[name].map(({ perSecond }, round) => perSecond / results[floor][round].perSecond));
  report.figure('one by one / pgbench', ratio('single', 'pgbench'), { target: { atLeast: 0.6 } });
  report.figure('batches of 100 / pgbench', ratio('batches of 100', 'pgbench'), { target: { atLeast: 1.2 } });
  report.figure('batches of 100 / one by one', ratio('batches of 100', 'single'), { target: { atLeast: 2 } });
}
