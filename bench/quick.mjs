// The main job against HTTP alone, measured in the same run: PostgreSQL with fsync, and embedded in memory.
import { KEYS, openEngine, startEmpty } from './main-job/engines.mjs';
import { startCallers } from './main-job/load.mjs';
import { measureRow } from './main-job/measure.mjs';
import { ENGINES, readOptions } from './main-job/options.mjs';
import { ROWS } from './main-job/rows.mjs';
import { isMet, toLine, toTable } from './main-job/table.mjs';
import { readHeaders, startReference } from './reference/reference.mjs';
import { createPerformer } from './support/service.mjs';
import { PERFORMER } from './support/typical-action.mjs';

const DEFAULTS = {
  engine: ENGINES,
  row: Object.keys(ROWS),
  store: [1_000, 10_000],
  callers: [16],
  pairs: 3,
  seconds: 0.8,
};

export async function run(report, given = {}) {
  const options = readOptions(given, DEFAULTS);
  report.section(`quick: the main job, ratios to HTTP alone in the same run`);
  const headers = await learnHeaders();
  const callers = startCallers();
  const reference = await startReference(headers);
  const figures = [];
  try {
    for (const engine of options.engine) {
      // The reference takes as long among many records as among few.
      const stores = engine === 'reference' ? options.store.slice(0, 1) : options.store;
      for (const unrelated of stores)
        figures.push(
          ...(await measureEngine(report, { engine, unrelated, callers, reference, headers }, options)),
        );
    }
  } finally {
    await reference.stop();
    await callers.stop();
  }
  console.log(`\n${toTable(figures)}`);
}

/** The headers that the service sends now, from one that is started for that. */
async function learnHeaders() {
  const service = await startEmpty();
  try {
    await createPerformer(service, { id: PERFORMER });
    return await readHeaders(service);
  } finally {
    await service.stop();
  }
}

async function measureEngine(report, { engine, unrelated, callers, reference, headers }, options) {
  const rows = options.row.filter((row) => engine !== 'reference' || row !== 'healthz');
  const texts = rows.includes('text');
  const startedMs = performance.now();
  const place = await openEngine(engine, { unrelated, texts, headers });
  report.note(
    `${engine}, ${unrelated} unrelated records: filled in ${Math.round(performance.now() - startedMs)} ms`,
  );
  const figures = [];
  try {
    for (const count of options.callers)
      for (const row of rows) {
        const terms = { keys: KEYS.slice(0, count), seconds: options.seconds, pairs: options.pairs };
        const measured = await measureRow({ callers, reference, place, row }, terms);
        const figure = { engine, unrelated, callers: count, row, ...measured };
        report.verdict(`${engine}, ${unrelated}, ${row}`, toLine(figure), isMet(figure));
        figures.push(figure);
      }
  } finally {
    await place.stop();
  }
  return figures;
}
