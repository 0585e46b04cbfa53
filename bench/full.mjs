// Measures recordings and reads of 1, 16 and 64 callers in a store with many records. With 16 callers, also compares
// this store with a store of few records.
import { DEFAULTS, readOptions } from './main-job/options.mjs';
import { runTable } from './main-job/run-table.mjs';

const FULL = {
  ...DEFAULTS,
  engine: ['postgres', 'embedded'],
  store: [100_000, 1_000_000],
  callers: [1, 16, 64],
  growth: 1,
};

/** Unrelated records in each store. The embedded database is meant for fewer records than PostgreSQL. */
const STORES = { embedded: [100_000], postgres: [1_000_000] };

export async function run(report, given = {}) {
  report.section('full: recordings and reads among 10^6 records on PostgreSQL, among 10^5 embedded');
  const options = readOptions(given, FULL);
  await runTable(report, { ...options, stores: given.store === undefined ? STORES : undefined });
}
