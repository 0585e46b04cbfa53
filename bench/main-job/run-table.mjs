import { readHeaders, startReference } from '../reference/reference.mjs';
import { createPerformer } from '../support/service.mjs';
import { PERFORMER } from '../support/typical-action.mjs';
import { KEYS, openEngine, startEmpty } from './engines.mjs';
import { startCallers } from './load.mjs';
import { measureRow } from './measure.mjs';
import { isMet, toLine, toTable } from './table.mjs';

/** Measures the chosen rows on the chosen engines and stores, and prints them as a table. */
export async function runTable(report, options) {
  const run = { report, options };
  run.headers = await readServiceHeaders();
  run.callers = startCallers();
  const figures = [];
  try {
    run.reference = await startReference(run.headers);
    for (const engine of options.engine)
      for (const unrelated of storesOf(engine, options))
        figures.push(...(await measureStore(run, { engine, unrelated })));
  } finally {
    await run.reference?.stop();
    await run.callers.stop();
  }
  console.log(`\n${toTable(figures)}`);
}

/** The reference takes as long among many records as among few. */
function storesOf(engine, { store, most = {} }) {
  const stores = store.filter((unrelated) => unrelated <= (most[engine] ?? Number.POSITIVE_INFINITY));
  return engine === 'reference' ? stores.slice(0, 1) : stores;
}

/** The headers that the service sends now, from one that is started for that. */
async function readServiceHeaders() {
  const service = await startEmpty();
  try {
    await createPerformer(service, { id: PERFORMER });
    return await readHeaders(service);
  } finally {
    await service.stop();
  }
}

async function measureStore({ report, options, headers, callers, reference }, { engine, unrelated }) {
  const rows = options.row.filter((row) => engine !== 'reference' || row !== 'healthz');
  const places = {};
  const figures = [];
  try {
    const startedMs = performance.now();
    const asked = { unrelated, headers, texts: rows.includes('text') };
    places.place = await openEngine(engine, asked);
    if (options.against !== undefined && engine !== 'reference')
      places.against = await openEngine(engine, { ...asked, root: options.against });
    const filledMs = Math.round(performance.now() - startedMs);
    report.note(`${engine}, ${unrelated} unrelated records: filled in ${filledMs} ms`);
    for (const count of options.callers)
      for (const row of rows) {
        const terms = { ...options, keys: KEYS.slice(0, count) };
        const measured = await measureRow({ callers, reference, ...places, row }, terms);
        const figure = { engine, unrelated, callers: count, row, ...measured };
        report.verdict(`${engine}, ${unrelated}, ${row}`, toLine(figure), isMet(figure));
        figures.push(figure);
      }
  } finally {
    await places.place?.stop();
    await places.against?.stop();
  }
  return figures;
}
