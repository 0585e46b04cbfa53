import { namedCorrection } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { isUuid } from '../../platform/uuid-v7.js';
import type { BoundKey, RecordDeps } from '../deps.js';
import type { RecordItem } from '../draft/record-item.js';
import { hasForeignAction, hasForeignContent } from './ownership.sql.js';

/** The recorder of the result throws `Forbidden` for records that the bound key may not write. */
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

interface Target {
  actionId?: unknown;
  resourceCid?: unknown;
}

/**
 * Throws `Forbidden` when a bound key describes an action of another entity, or content that its own entity does not
 * own. Runs at most two statements. Ignores targets that are not stored.
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

/** With an action, the only target is the action that it corrects, because `assertOwn` checks the new action. */
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
