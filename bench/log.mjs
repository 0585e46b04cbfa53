// Cost of the transparency log for a single recording.
import { randomUUID } from 'node:crypto';
import { namedProjectId } from '../packages/server/dist/access/create-key.js';
import { openDatabases } from '../packages/server/dist/platform/db/open-databases.js';
import { captureItem } from './support/captured-item.mjs';
import { cidOf } from './support/content-ids.mjs';
import { startLoad } from './support/load.mjs';
import { startPostgres, withClient } from './support/postgres.mjs';
import { cpuSeconds } from './support/processes.mjs';
import { createPerformer, KEY, PROJECT, startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';
import { PERFORMER, toActionBody } from './support/typical-action.mjs';

const ROUNDS = 7;
const SECONDS = 3;
const TARGET = { atMost: 1.3 };

async function stopLogging(db) {
  const [{ text }] = await db.query("select pg_get_functiondef('provenance.write_actions'::regproc) as text");
  const without = text.replace(/ {2}leaves as \([\s\S]*?\n {2}\),\n/, '');
  if (without === text) throw new Error('Found no part `leaves` to remove in write_actions()');
  await db.query(without);
  await db.query(`create or replace function provenance.log_size(p_project uuid) returns bigint
    language plpgsql stable as $$ begin return 0; end $$`);
}

export async function run(report) {
  report.section('log: CPU of a single recording with leaves, against a recording without leaves');
  await measureHttp(report);
  await measureEmbedded(report);
}

/** One caller sends one action in each request, so that recordings share no transaction. */
async function measureHttp(report) {
  const postgres = await startPostgres();
  const load = startLoad();
  const services = {};
  try {
    for (const name of ['with', 'without']) {
      const url = await postgres.createDatabase(name);
      services[name] = await startService({ DATABASE_URL: url });
      if (name === 'without')
        await withClient(url, (client) =>
          stopLogging({ query: async (statement) => (await client.query(statement)).rows }),
        );
      await createPerformer(services[name], { id: PERFORMER });
    }
    const measure = async ({ pid, port }) => {
      const used = () => cpuSeconds(pid) + cpuSeconds(postgres.pid);
      const before = used();
      const { actions } = await load.run({ port, keys: [KEY], seconds: SECONDS });
      return ((used() - before) / actions) * 1e6;
    };
    const cases = Object.fromEntries(
      Object.entries(services).map(([name, service]) => [name, () => measure(service)]),
    );
    await compare(report, 'POST /v1/action, one caller, PostgreSQL with fsync', cases);
  } finally {
    for (const service of Object.values(services)) await service.stop();
    await load.stop();
    await postgres.stop();
  }
}

async function measureEmbedded(report) {
  const opened = [];
  try {
    const cases = {};
    for (const name of ['with', 'without']) {
      const databases = await openDatabases({ kind: 'memory' });
      opened.push(databases);
      if (name === 'without') await stopLogging(databases.provenance);
      cases[name] = await createRecording(databases.provenance);
    }
    await compare(report, 'provenance.record() of one action, PGlite in memory', cases);
  } finally {
    for (const databases of opened) await databases.close();
  }
}

async function createRecording(db) {
  const project = namedProjectId(PROJECT);
  const cids = { inputs: [cidOf('input 1'), cidOf('input 2')], output: cidOf('output') };
  const item = await captureItem(toActionBody({ ...cids, sessionId: 'session' }));
  const text = JSON.stringify(item);
  const record = (one) =>
    db.query('select provenance.record($1, $2::jsonb) as outcomes', [project, `[${one}]`]);
  const entity = { id: PERFORMER, body: { id: PERFORMER, role: 'ai' }, digest: '00', salts: {} };
  await record(JSON.stringify({ entities: [{ ...entity, given: {} }] }));
  return async () => {
    const before = process.cpuUsage();
    const startMs = performance.now();
    let actions = 0;
    for (; performance.now() - startMs < SECONDS * 1000; actions++) {
      const fresh = [item.action.id, item.attributions[0].id].reduce(
        (json, id) => json.replaceAll(id, randomUUID()),
        text.replaceAll(cids.output, cidOf(randomUUID())),
      );
      const [{ outcomes }] = await record(fresh);
      if (outcomes[0].outcome !== 'recorded') throw new Error(JSON.stringify(outcomes));
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / actions;
  };
}

async function compare(report, title, cases) {
  for (const measure of Object.values(cases)) await measure(); // The first round loads and compiles code.
  const times = { with: [], without: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, measure] of Object.entries(cases)) times[name].push(await measure());
  const [logged, bare] = [medianOf(times.with), medianOf(times.without)];
  report.note(`${title}: ${Math.round(logged)} us of CPU with the log, ${Math.round(bare)} us without`);
  const ratios = times.with.map((value, round) => value / times.without[round]);
  report.figure(`${title}: with the log / without`, medianOf(ratios), { target: TARGET });
}
