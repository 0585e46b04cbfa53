import { namedCorrection } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { isUuid } from '../../platform/uuid-v7.js';
import type { BoundKey, RecordDeps } from '../deps.js';
import type { RecordItem } from '../draft/record-item.js';
import { hasForeignAction, hasForeignContent } from './ownership.sql.js';

/** Returns dependencies whose recorder throws `Forbidden` for records that the bound key may not write. */
export function restrictToBoundKey(boundKey: BoundKey, deps: RecordDeps): RecordDeps {
  const { recorder } = deps;
  const bound = { ...deps, boundKey };
  const assertAll = async (projectId: string, items: readonly RecordItem[]) => {
    for (const item of items) assertOwn(boundKey, item);
    await assertMayDescribe(bound, projectId, items.flatMap(toTargets));
  };
  return {
    ...bound,
    recorder: {
      ...recorder,
      async record(projectId, item, wait) {
        await assertAll(projectId, [item]);
        return recorder.record(projectId, item, wait);
      },
      async check(projectId, item, wait) {
        await assertAll(projectId, [item]);
        return recorder.check(projectId, item, wait);
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

/** The id of an action and the CID of a content. Each may be absent. */
interface Target {
  actionId?: unknown;
  resourceCid?: unknown;
}

/**
 * Throws `Forbidden` in two cases: (1) A bound key corrects an action of another entity, or adds an attribution to this
 * action. (2) A bound key adds an attribution, a vector or a title to content that the key's entity does not own. Runs
 * at most two statements for any number of targets. Ignores targets that are not stored.
 */
export async function assertMayDescribe(
  { provenance, boundKey }: Pick<RecordDeps, 'provenance' | 'boundKey'>,
  projectId: string,
  targets: readonly Target[],
): Promise<void> {
  if (boundKey === undefined) return;
  const { entityId } = boundKey;
  const others = {
    entityId,
    actionIds: distinct(targets, 'actionId'),
    cids: distinct(targets, 'resourceCid'),
  };
  if (await hasForeignAction(provenance, projectId, others)) throw foreignEntityError(boundKey);
  if (await hasForeignContent(provenance, projectId, others)) throw foreignEntityError(boundKey);
}

function distinct(targets: readonly Target[], name: keyof Target): string[] {
  return [...new Set(targets.map((target) => target[name]).filter((id) => typeof id === 'string'))];
}

function assertOwn(key: BoundKey, { action, entities = [], entityUpdate }: RecordItem): void {
  const named = [action?.body.performedBy, ...entities.map(({ id }) => id), entityUpdate?.id];
  if (named.every((id) => id === undefined || id === key.entityId)) return;
  throw foreignEntityError(key);
}

/**
 * Returns the targets of an item that `assertMayDescribe` must check. For an item without an action, these are the
 * targets of its attributions. For an item with an action, the only target is the action that the item corrects, if
 * there is one, because `assertOwn` checks the new action itself.
 */
function toTargets({ action, attributions = [] }: RecordItem): Target[] {
  if (action === undefined) return attributions.map(({ body }) => body);
  const corrected = namedCorrection(action.body);
  return corrected !== undefined && isUuid(corrected) ? [{ actionId: corrected }] : [];
}

function foreignEntityError({ entityId }: BoundKey): ServiceError {
  return new ServiceError('Forbidden', `This API key acts only for entity ${entityId}.`, {
    recovery: 'Act only for that entity and on its own content, or use a key that is bound to no entity.',
  });
}
