import { medianOf } from '../support/statistics.mjs';
import { readCpu } from './cpu.mjs';
import { ROWS } from './rows.mjs';

const PARTS = ['main', 'threads', 'database'];

/**
 * Measures a row in slices that alternate with slices of HTTP alone, so that a slow moment of the machine slows both.
 * The rate counts records; CPU is in microseconds a record.
 */
export async function measureRow({ callers, reference, place, row }, { keys, seconds, pairs }) {
  const { units = 1 } = ROWS[row];
  const job = { port: place.port, store: place.store, row, keys };
  const alone = { port: reference.port, store: 'alone', row: 'alone', keys, seconds: seconds / 2 };
  await callers.run({ ...job, seconds: seconds / 3 }); // Loads and compiles code; not counted.
  const slices = [];
  for (let pair = 0; pair < pairs; pair++) {
    const { perSecond: alonePerSecond } = await callers.run(alone);
    const before = readCpu(place);
    const slice = await callers.run({ ...job, seconds });
    const after = readCpu(place);
    if (slice.requests === 0) continue; // There is nothing left that was never asked for.
    const cpu = PARTS.map((part) => after[part] - before[part]);
    slices.push({ ...slice, cpu, ratio: (slice.perSecond * units) / alonePerSecond, alonePerSecond });
  }
  if (slices.length === 0) throw new Error(`${row}: everything was asked for before the measurement began`);
  const sum = (read) => slices.reduce((total, slice) => total + read(slice), 0);
  const records = sum(({ requests }) => requests) * units;
  const middle = (read) => medianOf(slices.map(read));
  return {
    perSecond: middle(({ perSecond }) => perSecond) * units,
    alonePerSecond: middle(({ alonePerSecond }) => alonePerSecond),
    ratio: middle(({ ratio }) => ratio),
    cpuUs: Object.fromEntries(
      PARTS.map((part, index) => [part, (sum(({ cpu }) => cpu[index]) / records) * 1e6]),
    ),
    callersUs: (sum(({ cpuSeconds }) => cpuSeconds) / records) * 1e6,
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    found: share(
      sum(({ found }) => found),
      sum(({ planted }) => planted),
    ),
    inTime: share(
      sum(({ inTime }) => inTime),
      sum(({ asked }) => asked),
    ),
  };
}

function share(part, whole) {
  return whole === 0 ? undefined : part / whole;
}
