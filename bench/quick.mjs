// Speed of recordings and reads relative to bare HTTP in the same run.
import { DEFAULTS, readOptions } from './main-job/options.mjs';
import { runTable } from './main-job/run-table.mjs';

export async function run(report, given = {}) {
  report.section('quick: recordings and reads, ratios to HTTP alone in the same run');
  await runTable(report, readOptions(given, DEFAULTS));
}
