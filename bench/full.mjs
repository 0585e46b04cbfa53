// Measures recordings and reads in a store with many records.
import { DEFAULTS, readOptions } from './main-job/options.mjs';
import { runTable } from './main-job/run-table.mjs';

const FULL = {
  ...DEFAULTS,
  engine: ['postgres', 'embedded'],
  store: [100_000, 1_000_000],
  callers: [1, 16, 64],
  growth: 1,
};

const STORES = { embedded: [100_000], postgres: [1_000_000] };

export async function run(report, given = {}) {
  report.section('full: recordings and reads among 10^6 records on PostgreSQL, among 10^5 embedded');
  const options = readOptions(given, FULL);
  await runTable(report, { ...options, stores: given.store === undefined ? STORES : undefined });
}
