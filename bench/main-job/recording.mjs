import { randomUUID } from 'node:crypto';
import { namedProjectId } from '../../packages/server/dist/access/create-key.js';
import { expectFresh } from '../../packages/server/dist/records/write/fresh-items.js';
import { captureItem } from '../support/captured-item.mjs';
import { cidOf } from '../support/content-ids.mjs';
import { withClient } from '../support/postgres.mjs';
import { PROJECT } from '../support/service.mjs';
import { PERFORMER } from '../support/typical-action.mjs';
import { repeat } from './bare-floor.mjs';
import { POPULAR } from './contents.mjs';

const project = namedProjectId(PROJECT);

/** Records `group` actions in each statement. Returns the same figures as `measureBareRows`. */
export async function measureRecording({ url, databasePid }, { group, seconds }) {
  const item = await readItem();
  return withClient(url, (client) => {
    const record = async () => {
      const items = Array.from({ length: group }, () => toFreshItem(item));
      const { rows } = await client.query({
        name: `recording ${group}`,
        text: 'select provenance.record_fresh($1, $2::jsonb, $3::jsonb) as outcome',
        values: [project, JSON.stringify(items), JSON.stringify(expectFresh(items))],
      });
      if (rows[0].outcome.apart.length > 0)
        throw new Error(
          'The service did not record the captured action as a fresh item. Check the captured action',
        );
    };
    return repeat(databasePid, { seconds, insert: record, each: group });
  });
}

let captured;

function readItem() {
  captured ??= captureItem({
    type: 'create',
    performedBy: PERFORMER,
    inputCids: [POPULAR, cidOf('an input')],
    outputCids: [cidOf('an output')],
  });
  return captured;
}

function toFreshItem(item) {
  const fresh = structuredClone(item);
  const [id, attributionId] = [randomUUID(), randomUUID()];
  const { action, attributions } = fresh;
  action.id = id;
  Object.assign(action.body, { id, inputCids: [POPULAR, cidOf(attributionId)], outputCids: [cidOf(id)] });
  attributions[0].id = attributionId;
  Object.assign(attributions[0].body, { id: attributionId, actionId: id, resourceCid: cidOf(id) });
  return fresh;
}
