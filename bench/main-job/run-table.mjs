import { readHeaders, startReference } from '../reference/reference.mjs';
import { withClient } from '../support/postgres.mjs';
import { createPerformer } from '../support/service.mjs';
import { medianOf } from '../support/statistics.mjs';
import { PERFORMER } from '../support/typical-action.mjs';
import { measureBareLookups, measureBareRows } from './bare-floor.mjs';
import { HISTORIES } from './contents.mjs';
import { KEYS, openEngine, startEmpty } from './engines.mjs';
import { startCallers } from './load.mjs';
import { measureRow } from './measure.mjs';
import { measureRecording } from './recording.mjs';
import { isMet, toLine, toTable } from './table.mjs';

const WARMING_SECONDS = 3;

const FEW = 1_000;
const GROWTH = { callers: 16, pairs: 7 };

export async function runTable(report, options) {
  const run = { report, options };
  run.headers = await readServiceHeaders();
  run.callers = startCallers();
  const figures = [];
  try {
    run.reference = await startReference(run.headers);
    await warmAlone(run);
    for (const engine of options.engine)
      for (const unrelated of storesOf(engine, options))
        figures.push(...(await measureStore(run, { engine, unrelated })));
  } finally {
    await run.reference?.stop();
    await run.callers.stop();
  }
  console.log(`\n${toTable(figures)}`);
}

/** A cold reference is slow, so the service would look too fast. */
async function warmAlone({ callers, reference, options: { client } }) {
  const job = { port: reference.port, store: 'alone', row: 'alone', client, keys: KEYS.slice(0, 16) };
  await callers.run({ ...job, seconds: WARMING_SECONDS });
}

/** The time of the reference does not depend on the number of records, so it needs only one store. */
function storesOf(engine, { store, stores: chosen }) {
  const stores = chosen?.[engine] ?? store;
  return engine === 'reference' ? stores.slice(0, 1) : stores;
}

async function readServiceHeaders() {
  const service = await startEmpty();
  try {
    await createPerformer(service, { id: PERFORMER });
    return await readHeaders(service);
  } finally {
    await service.stop();
  }
}

async function measureStore(run, { engine, unrelated }) {
  const { report, options, headers, callers, reference } = run;
  const rows = options.row.filter((row) => engine !== 'reference' || row !== 'healthz');
  const places = {};
  const figures = [];
  try {
    const startedMs = performance.now();
    const asked = { unrelated, headers, texts: rows.includes('text'), counted: Boolean(options.growth) };
    places.place = await openEngine(engine, asked);
    if (options.against !== undefined && engine !== 'reference')
      places.against = await openEngine(engine, { ...asked, root: options.against });
    if (options.growth) places.few = await openEngine(engine, { ...asked, unrelated: FEW });
    const filledMs = Math.round(performance.now() - startedMs);
    report.note(`${engine}, ${unrelated} unrelated records: filled in ${filledMs} ms`);
    for (const count of options.callers)
      for (const row of rows) {
        const terms = { ...options, keys: KEYS.slice(0, count) };
        const grows = places.few !== undefined && count === GROWTH.callers;
        const against = grows ? places.few : places.against;
        const measured = await measureRow(
          { callers, reference, place: places.place, against, row },
          grows ? { ...terms, pairs: GROWTH.pairs } : terms,
        );
        const figure = { engine, unrelated, callers: count, row, grows, ...measured };
        report.verdict(`${engine}, ${unrelated}, ${row}`, toLine(figure), isMet(figure));
        figures.push(figure);
      }
    if (engine === 'postgres' && options.floor) await measureFloors(run, places.place, figures);
  } finally {
    await places.place?.stop();
    await places.against?.stop();
    await places.few?.stop();
  }
  return figures;
}

const GROUPS = [8, 32];

/** Compares the database CPU of the service with plain SQL for the same rows and look-ups. */
async function measureFloors({ report, options }, place, figures) {
  const { seconds } = options;
  // The checkpoint writes the pages of earlier rows before the measurement.
  await withClient(place.url, (client) => client.query('checkpoint'));
  for (const group of GROUPS) {
    if (!options.row.includes('action')) break;
    const cpuUs = { bare: [], recording: [] };
    for (let pair = 0; pair < options.pairs; pair++) {
      const bare = await measureBareRows(place, { group, seconds });
      const recording = await measureRecording(place, { group, seconds });
      cpuUs.bare.push(bare.cpuUs);
      cpuUs.recording.push(recording.cpuUs);
      report.note(`in groups of ${group}: bare rows ${describe(bare)}; recordings ${describe(recording)}`);
    }
    const name = `${place.store.trim()}: the database's CPU of recordings / bare rows, in groups of ${group}`;
    const ratio = medianOf(cpuUs.recording) / medianOf(cpuUs.bare);
    report.figure(name, ratio, { target: { atMost: 1.7 } });
  }
  const bundle = figures.find(({ row }) => row === 'bundle');
  if (bundle === undefined) return;
  const bare = await measureBareLookups(place, { seconds, histories: HISTORIES });
  report.note(
    `bare look-ups of a bundle of 3: ${describe(bare)}; a bundle ${Math.round(bundle.cpuUs.database)} us`,
  );
  report.figure(
    `${place.store.trim()}: the database's CPU of a bundle / bare look-ups`,
    bundle.cpuUs.database / bare.cpuUs,
  );
}

function describe({ cpuUs, perSecond }) {
  return `${Math.round(cpuUs)} us, ${Math.round(perSecond).toLocaleString('en')}/s on one connection`;
}
