// Bundles of 10, 100 and 1,000 actions, through the SQL function and over HTTP, among 10^4 and 10^6 other actions.
import { namedProjectId } from '../packages/server/dist/access/create-key.js';
import { openConnection, toMessage } from './support/connection.mjs';
import { cidOf } from './support/content-ids.mjs';
import { addUnrelated, chainOf, recordChain } from './support/history.mjs';
import { startPostgres, withClient } from './support/postgres.mjs';
import { KEY, PROJECT, startService } from './support/service.mjs';
import { medianOf, quantileOf } from './support/statistics.mjs';

const SIZES = [10, 100, 1000];
const REPETITIONS = { 10: 40, 100: 20, 1000: 6 };
const UNRELATED = { few: 10_000, many: 1_000_000 };
const UNKNOWN_REPETITIONS = 200;
const ROUNDS = 3;
// Written once and only read from then on: losing it in a crash is no matter.
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=4GB'];

export async function run(report) {
  report.section('bundles: GET /v1/bundle/:cid, PostgreSQL');
  const postgres = await startPostgres({ settings: SETTINGS });
  const places = [];
  try {
    const chain = chainOf(SIZES.at(-1));
    for (const name of Object.keys(UNRELATED)) places.push(await openPlace(postgres, name, chain));
    const times = await measure(places, chain);
    report.note('median ms of a bundle, and us of each of its actions:');
    for (const [name, values] of Object.entries(times))
      report.note(`${name}: ${medianOf(values).toFixed(2)} ms${perAction(name, medianOf(values))}`);
    judge(report, times);
  } finally {
    for (const place of places) await place.service.stop();
    await postgres.stop();
  }
}

async function openPlace(postgres, name, chain) {
  const url = await postgres.createDatabase(name);
  const service = await startService({ DATABASE_URL: url });
  await recordChain(service, chain);
  await addUnrelated(url, UNRELATED[name]);
  return { name, url, service };
}

/** Milliseconds of every repetition, by what was asked: `SQL few 10`. */
async function measure(places, chain) {
  const times = {};
  const note = (name, values) => {
    times[name] = [...(times[name] ?? []), ...values];
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, url, service } of places) {
      await withClient(url, async (client) => {
        for (const size of SIZES) note(`SQL ${name} ${size}`, await timeSql(client, chain, size));
      });
      const connection = await openConnection(service.port);
      for (const size of SIZES) note(`HTTP ${name} ${size}`, await timeHttp(connection, chain, size));
      note(`unknown ${name}`, await timeUnknown(connection));
      connection.close();
    }
  }
  return times;
}

/** The first two repetitions fill caches and are not counted. */
async function repeat(count, work) {
  const values = [];
  for (let index = -2; index < count; index++) {
    const startMs = performance.now();
    await work(index);
    if (index >= 0) values.push(performance.now() - startMs);
  }
  return values;
}

function timeSql(client, chain, size) {
  const parameters = [namedProjectId(PROJECT), chain[size - 1], 'ancestors', null, 10_000];
  return repeat(REPETITIONS[size], async () => {
    const { rows } = await client.query(
      'select provenance.bundle($1, $2, $3, $4, $5, 33554432) as text',
      parameters,
    );
    assertSize(rows[0].text, size);
  });
}

function timeHttp(connection, chain, size) {
  const message = toMessage({ path: `/v1/bundle/${chain[size - 1]}`, key: KEY });
  return repeat(REPETITIONS[size], async () => {
    const { status, body } = await connection.send(message);
    if (status !== 200) throw new Error(`${status} ${body}`);
    assertSize(body, size);
  });
}

function timeUnknown(connection) {
  return repeat(UNKNOWN_REPETITIONS, async (index) => {
    const path = `/v1/bundle/${cidOf(`unknown ${index}`)}`;
    const { status } = await connection.send(toMessage({ path, key: KEY }));
    if (status !== 404) throw new Error(`${status} for an unknown CID`);
  });
}

/** Without parsing, which would take longer than what is measured. */
function assertSize(text, size) {
  const actions = text.toString().match(/"performedBy"/g).length;
  if (actions !== size) throw new Error(`A bundle of ${size} actions has ${actions}`);
}

function perAction(name, ms) {
  const size = Number(/\d+$/.exec(name)?.[0] ?? 0);
  return size === 0 ? '' : `, ${Math.round((ms * 1000) / size)} us`;
}

function judge(report, times) {
  const ratio = (a, b) => medianOf(times[a]) / medianOf(times[b]);
  for (const size of SIZES)
    report.figure(`HTTP / SQL, bundle of ${size}`, ratio(`HTTP few ${size}`, `SQL few ${size}`));
  const linear = { target: { atMost: 1.5 } };
  for (const kind of ['SQL', 'HTTP']) {
    const growth = ratio(`${kind} few 1000`, `${kind} few 100`) / 10;
    report.figure(`${kind}: an action of 1,000 / an action of 100`, growth, linear);
  }
  for (const size of SIZES) {
    const growth = ratio(`HTTP many ${size}`, `HTTP few ${size}`);
    report.figure(`HTTP: among 10^6 actions / among 10^4, bundle of ${size}`, growth, linear);
  }
  const unknown = { unit: ' ms', target: { atMost: 5 } };
  report.figure('unknown CID among 10^6, median', medianOf(times['unknown many']), unknown);
  report.figure('unknown CID among 10^6, 99th percentile', quantileOf(times['unknown many'], 0.99), unknown);
}
