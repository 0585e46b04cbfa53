// Compares a Citus cluster with plain PostgreSQL on the same machine. BENCH_CITUS_URL is the URL of an empty database
// on the coordinator. The database has the extension and knows all nodes. Start the nodes with the settings in
// `SETTINGS`.
import { fileURLToPath } from 'node:url';
import { openConnection, toMessage } from './support/connection.mjs';
import { cidOf } from './support/content-ids.mjs';
import { startLoad } from './support/load.mjs';
import { startPostgres, WITHOUT_DURABILITY } from './support/postgres.mjs';
import { collect } from './support/processes.mjs';
import { createPerformer, startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';
import { PERFORMER, toActionBody } from './support/typical-action.mjs';

const CLI = fileURLToPath(new URL('../packages/server/dist/cli.js', import.meta.url));
const SETTINGS = [...WITHOUT_DURABILITY, 'shared_buffers=256MB', 'max_connections=200'];
const PROJECTS = 32;
/** Number of actions of a history. Each history is a chain. */
const CHAIN = 10;
const HISTORIES = 150;
/** Number of histories that one batch records. */
const TOGETHER = 10;
const ROUNDS = 5;
const SECONDS = 3;

const keys = Array.from({ length: PROJECTS }, (_, project) => `bench-key-of-project-number-${project}`);
const contentOf = (project, number) => cidOf(`content ${number} of project ${project}`);

export async function run(report) {
  const cluster = process.env.BENCH_CITUS_URL;
  report.section(`cluster: ${PROJECTS} callers in ${PROJECTS} projects, Citus against plain PostgreSQL`);
  if (!cluster) return report.note('not measured: BENCH_CITUS_URL is not set');
  const postgres = await startPostgres({ settings: SETTINGS });
  const load = startLoad();
  const services = [];
  try {
    await distribute(cluster);
    for (const url of [postgres.url, cluster]) services.push(await open(url));
    const record = async ({ port }) => (await load.run({ port, keys, seconds: SECONDS })).perSecond;
    const parts = [
      { name: 'recordings', atLeast: 0.5, measure: record },
      { name: 'bundles of 1 to 10 actions', atLeast: 0.4, measure: readBundles },
    ];
    for (const part of parts) await compare(report, services, part);
  } finally {
    load.stop();
    for (const service of services) await service.stop();
    await postgres.stop();
  }
}

async function distribute(url) {
  await collect([process.execPath, CLI, 'db', 'distribute'], { env: { ...process.env, DATABASE_URL: url } });
}

/** `read` is the number of bundles read in each project. */
async function open(url) {
  const service = await startService({
    DATABASE_URL: url,
    API_KEYS: keys.map((key, project) => `${key}:project-${project}`).join(','),
  });
  for (const [project, key] of keys.entries()) {
    await createPerformer(service, { key, id: PERFORMER });
    const connection = await openConnection(service.port);
    for (let first = 0; first < HISTORIES; first += TOGETHER) {
      const actions = Array.from({ length: TOGETHER }, (_, at) => chainOf(project, first + at)).flat();
      await send(connection, { path: '/v1/batch', key, body: { actions } });
    }
    connection.close();
  }
  return { ...service, read: keys.map(() => 0) };
}

function chainOf(project, history) {
  return Array.from({ length: CHAIN }, (_, place) => {
    const number = history * CHAIN + place;
    const inputs = place === 0 ? [] : [contentOf(project, number - 1)];
    return toActionBody({ inputs, output: contentOf(project, number), sessionId: `session-${history}` });
  });
}

async function compare(report, services, { name, atLeast, measure }) {
  const [plain, citus] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const place of round % 2 === 0 ? [0, 1] : [1, 0])
      [plain, citus][place].push(await measure(services[place]));
  }
  const ratios = citus.map((rate, round) => rate / plain[round]);
  const toText = (values) => values.map((value) => value.toFixed(0)).join(', ');
  report.note(`${name} a second: plain PostgreSQL ${toText(plain)}; Citus ${toText(citus)}`);
  report.figure(`${name}: Citus / plain PostgreSQL, median`, medianOf(ratios), { target: { atLeast } });
}

/**
 * A caller reads all bundles of its project before it repeats one, because a node answers a repeated read from its
 * memory.
 */
async function readBundles(service) {
  const startMs = performance.now();
  let count = 0;
  const caller = async (key, project) => {
    const connection = await openConnection(service.port);
    while (performance.now() < startMs + SECONDS * 1000) {
      const number = service.read[project]++ % (HISTORIES * CHAIN);
      await send(connection, { path: `/v1/bundle/${contentOf(project, number)}`, key });
      count++;
    }
    connection.close();
  };
  await Promise.all(keys.map(caller));
  return count / ((performance.now() - startMs) / 1000);
}

async function send(connection, { path, key, body }) {
  const method = body === undefined ? 'GET' : 'POST';
  const message = toMessage({ method, path, key, body: body && JSON.stringify(body) });
  const { status, body: answer } = await connection.send(message);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${answer}`);
}
