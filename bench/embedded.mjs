// Recording over HTTP on PGlite in memory, against batches handed straight to the same function on PGlite.
import { randomUUID } from 'node:crypto';
import { namedProjectId } from '../packages/server/dist/access/create-key.js';
import { openDatabases } from '../packages/server/dist/db/open-databases.js';
import { captureItem } from './support/captured-item.mjs';
import { cidOf } from './support/content-ids.mjs';
import { startLoad } from './support/load.mjs';
import { cpuSeconds } from './support/processes.mjs';
import { createPerformer, KEY, PROJECT, startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';
import { PERFORMER, toActionBody } from './support/typical-action.mjs';

const CALLERS = 32;
const ROUNDS = 5;
const SECONDS = 3;

export async function run(report) {
  report.section(`embedded: POST /v1/action, ${CALLERS} callers, PGlite in memory`);
  const load = startLoad();
  let service;
  let databases;
  try {
    service = await startService();
    databases = await openDatabases({ kind: 'memory' });
    await createPerformer(service, { id: PERFORMER });
    const floor = await createFloor(databases.provenance);
    const http = () => load.run({ port: service.port, keys: Array(CALLERS).fill(KEY), seconds: SECONDS });
    await http(); // The first round loads and compiles code.
    await floor();
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const cpuBefore = cpuSeconds(service.pid);
      const answered = await http();
      const cpuUs = ((cpuSeconds(service.pid) - cpuBefore) / answered.actions) * 1e6;
      rounds.push({ ...answered, cpuUs, floor: await floor() });
    }
    const speeds = rounds.map(({ perSecond }) => Math.round(perSecond)).join(', ');
    const cpu = Math.round(medianOf(rounds.map(({ cpuUs }) => cpuUs)));
    report.note(`${speeds} actions/s; CPU us an action: service with its database ${cpu}`);
    report.note(
      `batches of ${CALLERS}: ${rounds.map((round) => Math.round(round.floor)).join(', ')} actions/s`,
    );
    const target = { atLeast: 1000 };
    report.figure('HTTP', medianOf(rounds.map(({ perSecond }) => perSecond)), { unit: ' actions/s', target });
    const ratios = rounds.map((round) => round.perSecond / round.floor);
    report.figure(`HTTP / batches of ${CALLERS} without HTTP`, medianOf(ratios));
  } finally {
    await databases?.close();
    await service?.stop();
    await load.stop();
  }
}

/** Measures the actions a second that the database records in batches of one item for each caller. */
async function createFloor(db) {
  const project = namedProjectId(PROJECT);
  const cids = { inputs: [cidOf('input 1'), cidOf('input 2')], output: cidOf('output') };
  const item = await captureItem(toActionBody({ ...cids, sessionId: 'session' }));
  const text = JSON.stringify(item);
  const entity = { id: PERFORMER, body: { id: PERFORMER, role: 'ai' }, digest: '00', salts: {} };
  const recordBatch = (items) =>
    db.query('select provenance.record($1, $2::jsonb) as outcomes', [project, `[${items.join(',')}]`]);
  await recordBatch([JSON.stringify({ entities: [{ ...entity, given: {} }] })]);
  const freshItem = () =>
    text
      .replaceAll(item.action.id, randomUUID())
      .replaceAll(item.attributions[0].id, randomUUID())
      .replaceAll(cids.output, cidOf(randomUUID()));
  return async () => {
    let actions = 0;
    const startMs = performance.now();
    while (performance.now() - startMs < SECONDS * 1000) {
      const [{ outcomes }] = await recordBatch(Array.from({ length: CALLERS }, freshItem));
      const refused = outcomes.find(({ outcome }) => outcome !== 'recorded');
      if (refused !== undefined) throw new Error(`A batch was refused: ${JSON.stringify(refused)}`);
      actions += outcomes.length;
    }
    return actions / ((performance.now() - startMs) / 1000);
  };
}
