// The cost of a recorded action in the database: bytes of tables, write-ahead log, flushes and CPU.
import { openConnection, toMessage } from './support/connection.mjs';
import { cidOf } from './support/content-ids.mjs';
import { startLoad } from './support/load.mjs';
import { startPostgres, withClient } from './support/postgres.mjs';
import { cpuSeconds } from './support/processes.mjs';
import { createPerformer, KEY, startService } from './support/service.mjs';
import { PERFORMER } from './support/typical-action.mjs';

const BATCH = 250;
const SECONDS = 8;
const TARGET_BYTES = 1536;

const WAYS = [
  { name: '1 caller, single actions', callers: 1 },
  { name: '16 callers, single actions', callers: 16 },
  { name: '64 callers, single actions', callers: 64 },
  { name: '4 callers, batches of 100', callers: 4, batchOf: 100 },
];

/** `--actions=100000` sets the number of actions whose bytes are measured. */
export async function run(report, options = {}) {
  const actions = Number(options.actions ?? 50_000);
  if (!Number.isInteger(actions) || actions < 1_000)
    throw new Error('--actions must be a whole number of at least 1000.');
  report.section(`sizes: cost of an action in PostgreSQL (${actions.toLocaleString('en')} actions)`);
  const postgres = await startPostgres();
  const load = startLoad();
  let service;
  try {
    const url = await postgres.createDatabase('sizes');
    service = await startService({ DATABASE_URL: url });
    await createPerformer(service, { id: PERFORMER });
    await reportBytes(report, { url, service, load }, actions);
    for (const way of WAYS) await reportWay(report, { url, service, load, postgres }, way);
  } finally {
    await load.stop();
    await service?.stop();
    await postgres.stop();
  }
}

/** Subtracts the size of the tables before the recordings. */
async function reportBytes(report, { url, service, load }, actions) {
  const measure = async () => {
    await withClient(url, (client) => client.query('vacuum analyze'));
    return readSizes(url);
  };
  const before = await measure();
  let recorded = 0;
  while (recorded < actions)
    recorded += (await load.run({ port: service.port, keys: [KEY], seconds: 5, batchOf: BATCH })).actions;
  const after = await measure();
  await readProof(service);
  const proven = await measure();
  const perAction = (from, to) =>
    [...to].map(([name, bytes]) => [name, (bytes - (from.get(name) ?? 0)) / recorded]);
  report.note(`${recorded.toLocaleString('en')} actions were recorded, in batches of ${BATCH}`);
  tell(report, 'an action', perAction(before, after), { atMost: TARGET_BYTES });
  tell(report, 'added by the first proven bundle, for each action of the log', perAction(after, proven));
}

function tell(report, name, rows, target = {}) {
  const total = rows.reduce((sum, [, bytes]) => sum + bytes, 0);
  report.figure(`bytes in the database: ${name}`, total, { unit: ' bytes', target });
  for (const [part, bytes] of rows.toSorted((a, b) => b[1] - a[1]))
    if (bytes >= 1) report.note(`${part}: ${Math.round(bytes)}`);
}

/** The bytes of a table include its TOAST. */
async function readSizes(url) {
  const { rows } = await withClient(url, (client) =>
    client.query(`select c.relname as name, pg_table_size(c.oid)::float8 as bytes
      from pg_class c where c.relnamespace in ('provenance'::regnamespace, 'control'::regnamespace)
        and c.relkind in ('r', 'i')`),
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** For this bundle, the service adds all records of the project to the map and computes the hashes of the log. */
async function readProof({ port }) {
  const connection = await openConnection(port);
  const output = cidOf('proven');
  const action = JSON.stringify({
    type: 'create',
    performedBy: PERFORMER,
    inputCids: [],
    outputCids: [output],
  });
  await connection.send(toMessage({ method: 'POST', path: '/v1/action', key: KEY, body: action }));
  for (;;) {
    const { status } = await connection.send(
      toMessage({ path: `/v1/bundle/${output}?proof=true`, key: KEY }),
    );
    if (status === 200) break;
    if (status !== 503) throw new Error(`The request for the proven bundle failed: ${status}`);
  }
  connection.close();
}

async function reportWay(report, { url, service, load, postgres }, { name, callers, batchOf }) {
  const keys = Array.from({ length: callers }, () => KEY);
  const read = async () => ({
    ...(await readCounters(url)),
    service: cpuSeconds(service.pid),
    database: cpuSeconds(postgres.pid),
  });
  const before = await read();
  const { actions, perSecond, p99Ms } = await load.run({
    port: service.port,
    keys,
    seconds: SECONDS,
    batchOf,
  });
  const after = await read();
  const each = (member, factor = 1) => ((after[member] - before[member]) / actions) * factor;
  const figures = [
    `${Math.round(perSecond)} actions a second`,
    `p99 of a request ${p99Ms.toFixed(1)} ms`,
    `write-ahead log ${Math.round(each('wal'))} bytes`,
    `flushes ${each('flushes').toFixed(3)}`,
    `CPU of the service ${Math.round(each('service', 1e6))} us, of the database ${Math.round(each('database', 1e6))} us`,
  ];
  report.note(`${name}, for each action: ${figures.join(' · ')}`);
}

async function readCounters(url) {
  const { rows } = await withClient(url, (client) =>
    client.query(`select (wal_bytes)::float8 as wal, wal_sync::float8 as flushes from pg_stat_wal`),
  );
  return rows[0];
}
