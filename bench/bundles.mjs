// Measures the time of bundles (by one SQL statement, and over HTTP), of pages of lists, and of requests for unknown
// CIDs. The store has 10^3, 10^5 or 10^6 other actions.
import { readFileSync } from 'node:fs';
import { namedProjectId } from '../packages/server/dist/access/create-key.js';
import { openConnection, toMessage } from './support/connection.mjs';
import { cidOf } from './support/content-ids.mjs';
import { addUnrelated, chainOf, post, recordChain } from './support/history.mjs';
import { startPostgres, WITHOUT_DURABILITY, withClient } from './support/postgres.mjs';
import { createPerformer, KEY, PROJECT, startService } from './support/service.mjs';
import { medianOf, quantileOf } from './support/statistics.mjs';
import { toActionBody } from './support/typical-action.mjs';

const SIZES = [10, 100, 1000];
const REPETITIONS = { 10: 40, 100: 20, 1000: 6 };
const UNRELATED = { '10^3': 1_000, '10^5': 100_000, '10^6': 1_000_000 };
const [FEW, ...MORE] = Object.keys(UNRELATED);
const MOST = MORE.at(-1);
const RARE = { performer: 'ai:rare', type: 'create', count: 5 };
/** `count` is the expected number of actions of the page, and `after` is the number of earlier pages. */
const LISTS = {
  'the newest 100': { query: 'limit=100', count: 100 },
  'the 100 after the newest 1,000': { query: 'limit=100', count: 100, after: 10 },
  '100 of a session': { query: 'limit=100&sessionId=chain', count: 100 },
  '100 of the usual type': { query: 'limit=100&type=transform', count: 100 },
  '5 of a rare type': { query: `limit=100&type=${RARE.type}`, count: RARE.count },
  '5 of a rare performer': { query: `limit=100&performedBy=${RARE.performer}`, count: RARE.count },
};
const LIST_REPETITIONS = 20;
const UNKNOWN_REPETITIONS = 200;
const ROUNDS = 3;

const ORACLE = new URL('./support/history-oracle.sql', import.meta.url);

export async function run(report) {
  report.section('bundles: GET /v1/bundle/:cid and GET /v1/actions, PostgreSQL');
  const postgres = await startPostgres({ settings: WITHOUT_DURABILITY });
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
  const url = await postgres.createDatabase(`among_${UNRELATED[name]}`);
  const service = await startService({ DATABASE_URL: url });
  await withClient(url, (client) => client.query(readFileSync(ORACLE, 'utf8')));
  await recordRare(service);
  await recordChain(service, chain);
  await addUnrelated(url, UNRELATED[name]);
  return { name, url, service, lists: await openLists(service) };
}

async function recordRare(service) {
  await createPerformer(service, { id: RARE.performer });
  for (let number = 0; number < RARE.count; number++) {
    const body = toActionBody({ inputs: [], output: cidOf(`rare ${number}`), sessionId: 'rare' });
    await post(service, '/v1/action', { ...body, type: RARE.type, performedBy: RARE.performer });
  }
}

async function openLists({ base }) {
  const paths = {};
  for (const [name, { query, after = 0 }] of Object.entries(LISTS)) {
    let cursor = '';
    for (let page = 0; page < after; page++) {
      const answer = await fetch(`${base}/v1/actions?${query}${cursor}`, {
        headers: { authorization: `Bearer ${KEY}` },
      });
      cursor = `&cursor=${encodeURIComponent((await answer.json()).nextCursor)}`;
    }
    paths[name] = `/v1/actions?${query}${cursor}`;
  }
  return paths;
}

/** Returns the milliseconds of every repetition under a key such as `SQL 10^3 10`. */
async function measure(places, chain) {
  const times = {};
  const note = (name, values) => {
    times[name] = [...(times[name] ?? []), ...values];
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, url, service, lists } of places) {
      await withClient(url, async (client) => {
        for (const size of SIZES) note(`SQL ${name} ${size}`, await timeSql(client, chain, size));
      });
      const connection = await openConnection(service.port);
      for (const size of SIZES) note(`HTTP ${name} ${size}`, await timeHttp(connection, chain, size));
      for (const [list, path] of Object.entries(lists))
        note(`list ${name} ${list}`, await timeList(connection, path, LISTS[list].count));
      note(`unknown ${name}`, await timeUnknown(connection));
      connection.close();
    }
  }
  return times;
}

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
      'select provenance.oracle_bundle($1, $2, $3, $4, $5, 33554432) as text',
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

function timeList(connection, path, count) {
  const message = toMessage({ path, key: KEY });
  return repeat(LIST_REPETITIONS, async () => {
    const { status, body } = await connection.send(message);
    if (status !== 200) throw new Error(`${status} ${body}`);
    assertSize(body, count);
  });
}

/** Parsing would take longer than the measured request. */
function assertSize(text, size) {
  const actions = text.toString().match(/"performedBy"/g).length;
  if (actions !== size) throw new Error(`Expected ${size} actions, but the response has ${actions}`);
}

function perAction(name, ms) {
  const size = Number(/^(?:SQL|HTTP) \S+ (\d+)$/.exec(name)?.[1] ?? 0);
  return size === 0 ? '' : `, ${Math.round((ms * 1000) / size)} us`;
}

function judge(report, times) {
  const ratio = (a, b) => medianOf(times[a]) / medianOf(times[b]);
  for (const size of SIZES)
    report.figure(`HTTP / SQL, bundle of ${size}`, ratio(`HTTP ${FEW} ${size}`, `SQL ${FEW} ${size}`));
  const linear = { target: { atMost: 1.5 } };
  for (const kind of ['SQL', 'HTTP']) {
    const growth = ratio(`${kind} ${FEW} 1000`, `${kind} ${FEW} 100`) / 10;
    report.figure(`${kind}: an action of 1,000 / an action of 100`, growth, linear);
  }
  for (const name of MORE) {
    for (const size of SIZES) {
      const growth = ratio(`HTTP ${name} ${size}`, `HTTP ${FEW} ${size}`);
      report.figure(`among ${name} actions / among ${FEW}, bundle of ${size}`, growth, linear);
    }
    for (const list of Object.keys(LISTS)) {
      const growth = ratio(`list ${name} ${list}`, `list ${FEW} ${list}`);
      report.figure(`among ${name} actions / among ${FEW}, ${list}`, growth, linear);
    }
  }
  const unknown = { unit: ' ms', target: { atMost: 5 } };
  report.figure(`unknown CID among ${MOST}, median`, medianOf(times[`unknown ${MOST}`]), unknown);
  report.figure(
    `unknown CID among ${MOST}, 99th percentile`,
    quantileOf(times[`unknown ${MOST}`], 0.99),
    unknown,
  );
}
