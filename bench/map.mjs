// Measures the pages and bytes of proven bundles for several densities of the map of identifiers. The density is the
// number of keys with the same first 2 bytes. Only the prefixes of the measured bundles have this density, so a few
// thousand rows stand for a map of many millions.
import { openConnection, toMessage } from './support/connection.mjs';
import { actionsOf, BUNDLES, fillMap, furtherActionOf, lastOf } from './support/dense-map.mjs';
import { startPostgres, WITHOUT_DURABILITY, withClient } from './support/postgres.mjs';
import { cpuSeconds } from './support/processes.mjs';
import { createPerformer, KEY, startService } from './support/service.mjs';
import { PERFORMER } from './support/typical-action.mjs';

/** The densities of about 10^5, 10^6 and 10^7 actions with 3 identifiers each. */
const DENSITIES = '5,46,460';
const WARMING = 5;
const TARGET = { target: { atMost: 1.3 } };
const SETTINGS = [...WITHOUT_DURABILITY, 'shared_preload_libraries=pg_stat_statements'];

/** `--densities=5,46,460` sets the densities. The report compares the last one with the first one. */
export async function run(report, { densities = DENSITIES } = {}) {
  const found = [];
  for (const density of densities.split(',').map(Number)) {
    report.section(`map: ${density} identifiers in each prefix of 2 bytes, PostgreSQL`);
    found.push(await measureDensity(report, density));
  }
  const [first, last] = [found[0], found.at(-1)];
  report.figure('pages of a proof, last density / first density', last.pages / first.pages, TARGET);
}

async function measureDensity(report, density) {
  const postgres = await startPostgres({ settings: SETTINGS });
  let service;
  try {
    const url = await postgres.createDatabase('map');
    await withClient(url, (client) => client.query('create extension pg_stat_statements'));
    const start = () => startService({ DATABASE_URL: url, SERVER_SIGNING_KEY: '07'.repeat(32) });
    service = await start();
    await createPerformer(service, { id: PERFORMER });
    const recorded = createRecorder(service);
    await withClient(url, (client) => fillMap((...statement) => client.query(...statement), density));
    for (let bundle = 0; bundle < BUNDLES; bundle++) await recorded.record(bundle);
    await recorded.prove(0);
    await withClient(url, (client) => client.query('vacuum analyze'));
    recorded.close();
    await service.stop();
    service = await start();
    return await measureProofs(report, { url, service });
  } finally {
    await service?.stop();
    await postgres.stop();
  }
}

async function measureProofs(report, { url, service }) {
  const recorded = createRecorder(service);
  for (let bundle = 0; bundle < WARMING; bundle++) await recorded.prove(bundle);
  const measure = (prepare) => measureEach({ url, service, recorded, prepare });
  const proof = await measure(async () => {});
  const later = await measure(recorded.extend);
  recorded.close();
  for (const [name, cost] of Object.entries({ 'a proof': proof, 'a proof after one recording': later })) {
    const { pages, statements, bytes, cpuMs } = cost;
    report.note(
      `${name}: ${pages.toFixed(1)} pages, ${statements.toFixed(1)} statements, ` +
        `${Math.round(bytes).toLocaleString('en')} bytes of WAL, ${cpuMs.toFixed(1)} ms of CPU`,
    );
  }
  return proof;
}

/** `prepare` runs before each proof. */
async function measureEach({ url, service, recorded, prepare }) {
  const sum = { pages: 0, statements: 0, bytes: 0, cpuMs: 0 };
  for (let bundle = WARMING; bundle < BUNDLES; bundle++) {
    await prepare(bundle);
    await withClient(url, (client) => client.query('select pg_stat_statements_reset()'));
    const cpuBefore = cpuSeconds(service.pid);
    await recorded.prove(bundle);
    const cpuMs = 1_000 * (cpuSeconds(service.pid) - cpuBefore);
    const cost = { cpuMs, ...(await withClient(url, readCounters)) };
    for (const [name, value] of Object.entries(cost)) sum[name] += value;
  }
  const means = Object.entries(sum).map(([name, all]) => [name, all / (BUNDLES - WARMING)]);
  return Object.fromEntries(means);
}

/** `extend` records one more action after the end of a bundle. */
function createRecorder(service) {
  let opened;
  const send = async ({ path, body }) => {
    opened ??= await openConnection(service.port);
    const method = body === undefined ? 'GET' : 'POST';
    for (;;) {
      const message = toMessage({ method, path, key: KEY, body: body && JSON.stringify(body) });
      const { status, body: answer } = await opened.send(message);
      if (status < 300) return;
      // A first proof can take longer than one request.
      if (status !== 503) throw new Error(`${method} ${path}: ${status} ${answer}`);
    }
  };
  return {
    record: (bundle) => send({ path: '/v1/batch', body: { actions: actionsOf(bundle) } }),
    extend: (bundle) => send({ path: '/v1/action', body: furtherActionOf(bundle) }),
    prove: (bundle) => send({ path: `/v1/bundle/${lastOf(bundle)}?proof=true` }),
    close: () => opened?.close(),
  };
}

async function readCounters(client) {
  const { rows } = await client.query(
    `select sum(shared_blks_hit + shared_blks_read)::float8 as pages, sum(wal_bytes)::float8 as bytes,
       sum(calls)::float8 as statements
     from pg_stat_statements where query like '%provenance.%'`,
  );
  return rows[0];
}
