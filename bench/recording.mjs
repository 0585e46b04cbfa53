// Recording over HTTP on PostgreSQL, against pgbench calling the same function on the same server.
import { createNamedProjectKey, namedProjectId } from '../packages/server/dist/access/create-key.js';
import { openPostgres } from '../packages/server/dist/db/postgres.js';
import { captureItem } from './support/captured-item.mjs';
import { startLoad } from './support/load.mjs';
import { runPgbench, SCRIPTED_BODY } from './support/pgbench.mjs';
import { startPostgres, withClient } from './support/postgres.mjs';
import { cpuSeconds } from './support/processes.mjs';
import { createPerformer, startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';
import { PERFORMER } from './support/typical-action.mjs';

const CALLERS = 32;
const ROUNDS = 3;
const SECONDS = 3;
const DATABASE = 'recording';

/** Rounds of all cases, one after the other, so that a slow minute of the machine hits all of them. */
export async function run(report) {
  report.section(`recording: POST /v1/action, ${CALLERS} callers, PostgreSQL with fsync`);
  const postgres = await startPostgres();
  const load = startLoad();
  let service;
  try {
    const url = await postgres.createDatabase(DATABASE);
    const names = Array.from({ length: CALLERS }, (_, index) => `project-${index}`);
    const staticKeys = names.map((name) => `static-key-of-${name}`);
    service = await startService({
      DATABASE_URL: url,
      API_KEYS: names.map((name, index) => `${staticKeys[index]}:${name}`).join(','),
    });
    for (const key of staticKeys) await createPerformer(service, { key, id: PERFORMER });
    const storedKeys = await createStoredKeys(url, names);
    const place = { postgres, service, load, url, item: await captureItem(SCRIPTED_BODY) };
    const one = casesOf(place, { names: names.slice(0, 1), staticKeys, storedKeys });
    const many = casesOf(place, { names, staticKeys, storedKeys });
    await measure(report, 'one project', one);
    await measure(report, `${CALLERS} projects`, many);
  } finally {
    await service?.stop();
    await load.stop();
    await postgres.stop();
  }
}

/** Project keys of the database, which unlike those of the environment are looked up. */
async function createStoredKeys(url, names) {
  const control = openPostgres(url);
  const create = (projectName) =>
    createNamedProjectKey(control, { projectName, name: 'bench', permission: 'write' });
  const created = await Promise.all(names.map(create)).finally(() => control.close());
  return created.map(({ key }) => key);
}

function casesOf({ postgres, service, load, url, item }, { names, staticKeys, storedKeys }) {
  const projects = names.map(namedProjectId);
  const ofCallers = (keys) => Array.from({ length: CALLERS }, (_, index) => keys[index % names.length]);
  const pgbench = (mode) => () =>
    runPgbench(postgres, { database: DATABASE, projects, item, mode, clients: CALLERS, seconds: SECONDS });
  const http = (keys) => () => load.run({ port: service.port, keys: ofCallers(keys), seconds: SECONDS });
  const watched = (work) => () => watch({ postgres, service, url }, work);
  return {
    prepared: watched(pgbench('prepared')),
    simple: watched(pgbench('simple')),
    static: watched(http(staticKeys)),
    stored: watched(http(storedKeys)),
  };
}

/** Adds the CPU that an action cost, and makes sure that as many were stored as were counted. */
async function watch({ postgres, service, url }, work) {
  const count = () =>
    withClient(url, async (client) => {
      const { rows } = await client.query('select count(*)::int as count from provenance.action');
      return rows[0].count;
    });
  const storedBefore = await count();
  const before = [cpuSeconds(service.pid), cpuSeconds(postgres.pid)];
  const result = await work();
  const after = [cpuSeconds(service.pid), cpuSeconds(postgres.pid)];
  const stored = (await count()) - storedBefore;
  if (stored !== result.actions) throw new Error(`${result.actions} were counted, ${stored} stored`);
  const [serviceUs, databaseUs] = after.map((value, i) => ((value - before[i]) / result.actions) * 1e6);
  const clientUs = ((result.cpuSeconds ?? 0) / result.actions) * 1e6;
  return { ...result, serviceUs, databaseUs, clientUs };
}

async function measure(report, title, cases) {
  const results = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, work] of Object.entries(cases)) results[name].push(await work());
  for (const [name, rounds] of Object.entries(results)) report.note(`${title}, ${name}: ${describe(rounds)}`);
  for (const keys of ['static', 'stored']) {
    for (const mode of ['prepared', 'simple']) {
      const ratios = results[keys].map(({ perSecond }, i) => perSecond / results[mode][i].perSecond);
      const target = { atLeast: 0.6 };
      report.figure(`HTTP (${keys} key) / pgbench -M ${mode}, ${title}`, medianOf(ratios), { target });
    }
  }
}

function describe(rounds) {
  const median = (name) => Math.round(medianOf(rounds.map((round) => round[name])));
  const speed = rounds.map(({ perSecond }) => Math.round(perSecond)).join(', ');
  const cpu = `CPU us an action: service ${median('serviceUs')}, database ${median('databaseUs')}`;
  const wait =
    rounds[0].p99Ms === undefined ? '' : `, client ${median('clientUs')}; p99 ${median('p99Ms')} ms`;
  return `${speed} actions/s; ${cpu}${wait}`;
}
