import { withClient } from '../support/postgres.mjs';
import { medianOf } from '../support/statistics.mjs';
import { HISTORIES } from './contents.mjs';
import { readCpu } from './cpu.mjs';
import { ROWS } from './rows.mjs';

/** V8 compiles the code of the service during the warm-up. */
const WARMING_SECONDS = 0.6;
const PARTS = ['main', 'threads', 'database'];

/**
 * Measures a row of the table in `pairs` pairs of short runs (slices). In each pair, one slice sends `GET /` to the
 * reference server, so other load affects both rates. The rate is in records per second, and the CPU in microseconds
 * for each record. `against` is a second service to compare with.
 */
export async function measureRow(
  { callers, reference, place, against, row },
  { keys, client, seconds, pairs },
) {
  const { units = 1, warmingSeconds = WARMING_SECONDS } = ROWS[row];
  const share = shareOf(row, pairs);
  const call = ({ port, store }, most, length = seconds) =>
    callers.run({ port, store, row, keys, client, seconds: length, most });
  const callAlone = () =>
    callers.run({ port: reference.port, store: 'alone', row: 'alone', keys, client, seconds: seconds / 2 });
  for (const one of [place, against]) if (one !== undefined) await call(one, share.warming, warmingSeconds);
  const slices = [];
  for (let pair = 0; pair < pairs; pair++) {
    const { perSecond: alonePerSecond } = await callAlone();
    const other = against && (await callCounted(against, () => call(against, share.slice)));
    const before = readCpu(place);
    const slice = await callCounted(place, () => call(place, share.slice));
    const after = readCpu(place);
    const cpu = PARTS.map((part) => after[part] - before[part]);
    const times = other === undefined ? undefined : slice.perSecond / other.perSecond;
    const ratio = (slice.perSecond * units) / alonePerSecond;
    const pages = other && slice.pages / other.pages; // NaN when pages are not counted.
    slices.push({ ...slice, cpu, ratio, alonePerSecond, times, pages });
  }
  const sum = (read) => slices.reduce((total, slice) => total + read(slice), 0);
  const records = sum(({ requests }) => requests) * units;
  const middle = (read) => medianOf(slices.map(read));
  return {
    perSecond: middle(({ perSecond }) => perSecond) * units,
    alonePerSecond: middle(({ alonePerSecond }) => alonePerSecond),
    ratio: middle(({ ratio }) => ratio),
    times: against && middle(({ times }) => times),
    pages: against && middle(({ pages }) => pages),
    cpuUs: Object.fromEntries(
      PARTS.map((part, index) => [part, (sum(({ cpu }) => cpu[index]) / records) * 1e6]),
    ),
    callersUs: (sum(({ cpuSeconds }) => cpuSeconds) / records) * 1e6,
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    found: ratioOf(
      sum(({ found }) => found),
      sum(({ planted }) => planted),
    ),
    complete: ratioOf(
      sum(({ complete }) => complete),
      sum(({ asked }) => asked),
    ),
  };
}

/** `pages` is the number that PostgreSQL accessed per request. */
async function callCounted({ url, counted }, run) {
  if (!counted) return run();
  const before = await readPages(url);
  const result = await run();
  return { ...result, pages: ((await readPages(url)) - before) / result.requests };
}

async function readPages(url) {
  return withClient(url, async (client) => {
    const { rows } = await client.query(
      'select sum(shared_blks_hit + shared_blks_read)::float8 as pages from pg_stat_statements where toplevel',
    );
    return rows[0].pages;
  });
}

/** With these limits, the row `bundle` requests no history twice. */
function shareOf(row, pairs) {
  if (row !== 'bundle') return {};
  const warming = HISTORIES / 4;
  return { warming, slice: Math.floor((HISTORIES - warming) / pairs) };
}

function ratioOf(part, whole) {
  return whole === 0 ? undefined : part / whole;
}
