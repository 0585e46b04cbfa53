import { openConnection, toMessage } from '../support/connection.mjs';
import { cidOf } from '../support/content-ids.mjs';
import { KEY } from '../support/service.mjs';
import { PERFORMER, toActionBody } from '../support/typical-action.mjs';
import { ENTITIES, endOf, entityIdOf, HISTORIES, middleOf, POPULAR, TEXTS, textOf } from './contents.mjs';
import { toUpload } from './requests.mjs';

const SLICE = 250;
const UPLOADERS = 8;

/** Fills a store over HTTP. Each history has three actions. Half of the unrelated actions use the popular content. */
export async function fill({ port }, { unrelated, texts = true }) {
  const connection = await openConnection(port);
  await send(connection, { entities: entities(), actions: [actionOf([], POPULAR)] });
  await sendAll(connection, unrelatedActions(unrelated));
  await sendAll(connection, histories());
  connection.close();
  if (texts) await uploadTexts(port);
}

function entities() {
  const people = Array.from({ length: ENTITIES }, (_, index) => ({
    id: entityIdOf(index),
    role: 'human',
    name: `Person ${index}`,
  }));
  return [{ id: PERFORMER, role: 'ai' }, ...people];
}

function* unrelatedActions(count) {
  const contentOf = (index) => cidOf(`unrelated ${index}`);
  for (let index = 0; index < count; index++)
    yield actionOf(
      [index % 2 === 0 ? POPULAR : contentOf(index - 2), contentOf(index - 1)],
      contentOf(index),
    );
}

function* histories() {
  for (let index = 0; index < HISTORIES; index++) {
    yield actionOf([POPULAR], middleOf(index));
    yield actionOf([middleOf(index)], endOf(index));
  }
}

function actionOf(inputs, output) {
  return toActionBody({ inputs, output, sessionId: `session ${output.slice(-2)}` });
}

async function sendAll(connection, actions) {
  let slice = [];
  for (const action of actions) {
    if (slice.push(action) < SLICE) continue;
    await send(connection, { actions: slice });
    slice = [];
  }
  if (slice.length > 0) await send(connection, { actions: slice });
}

async function send(connection, batch) {
  const body = JSON.stringify(batch);
  assertRecorded(await connection.send(toMessage({ method: 'POST', path: '/v1/batch', key: KEY, body })));
}

async function uploadTexts(port) {
  let next = 0;
  const upload = async () => {
    const connection = await openConnection(port);
    while (next < TEXTS)
      assertRecorded(await connection.send(toUpload(Buffer.from(textOf(next++)), { key: KEY }).message));
    connection.close();
  };
  await Promise.all(Array.from({ length: UPLOADERS }, upload));
}

function assertRecorded({ status, body }) {
  if (status !== 201) throw new Error(`A request to fill the store failed: ${status} ${body}`);
}
