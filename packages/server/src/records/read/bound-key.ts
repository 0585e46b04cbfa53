import type { Action } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { BoundKey, RecordDeps } from '../deps.js';
import type { RecordItem } from '../draft/record-item.js';
import { readOwner } from './ownership.sql.js';
import { readAction } from './records.sql.js';

/** Returns dependencies whose recorder throws `Forbidden` for records of other entities. */
export function restrictToBoundKey(boundKey: BoundKey, deps: RecordDeps): RecordDeps {
  const { recorder } = deps;
  const bound = { ...deps, boundKey };
  const assertAll = async (projectId: string, items: readonly RecordItem[]) => {
    for (const item of items) assertOwn(boundKey, item);
    for (const item of items) await assertMayAttribute(bound, projectId, item);
  };
  return {
    ...bound,
    recorder: {
      ...recorder,
      async record(projectId, item) {
        await assertAll(projectId, [item]);
        return recorder.record(projectId, item);
      },
      async check(projectId, item) {
        await assertAll(projectId, [item]);
        return recorder.check(projectId, item);
      },
      async recordTogether(projectId, batch) {
        await assertAll(projectId, batch.items);
        return recorder.recordTogether(projectId, batch);
      },
      async recordBatch(projectId, batch) {
        await assertAll(projectId, batch.items);
        return recorder.recordBatch(projectId, batch);
      },
    },
  };
}

/** Throws `Forbidden` when a bound key adds an attribution or vector to an action or content of another entity. */
export async function assertMayDescribe(
  { provenance, boundKey }: Pick<RecordDeps, 'provenance' | 'boundKey'>,
  projectId: string,
  { actionId, resourceCid }: { actionId?: unknown; resourceCid?: unknown },
): Promise<void> {
  if (boundKey === undefined) return;
  const { entityId } = boundKey;
  if (typeof actionId === 'string') {
    const { text } = await readAction(provenance, projectId, actionId);
    if (text !== undefined && (JSON.parse(text) as Action).performedBy !== entityId)
      throw foreignEntityError(boundKey);
  }
  if (typeof resourceCid === 'string') {
    const owner = await readOwner(provenance, projectId, resourceCid);
    if (owner !== undefined && owner !== entityId) throw foreignEntityError(boundKey);
  }
}

function assertOwn(key: BoundKey, { action, entities = [], entityUpdate }: RecordItem): void {
  const named = [action?.body.performedBy, ...entities.map(({ id }) => id), entityUpdate?.id];
  if (named.every((id) => id === undefined || id === key.entityId)) return;
  throw foreignEntityError(key);
}

/**
 * Checks the attributions of an item without an action. For an item with an action, `assertOwn` checks the action. A
 * target that is not stored passes: it is in the same request, or it does not exist.
 */
async function assertMayAttribute(
  bound: RecordDeps,
  projectId: string,
  { action, attributions = [] }: RecordItem,
): Promise<void> {
  if (action !== undefined) return;
  for (const { body } of attributions) await assertMayDescribe(bound, projectId, body);
}

function foreignEntityError({ entityId }: BoundKey): ServiceError {
  return new ServiceError('Forbidden', `This API key acts only for entity ${entityId}.`, {
    recovery: 'Act only for that entity and on its own content, or use a key that is bound to no entity.',
  });
}
