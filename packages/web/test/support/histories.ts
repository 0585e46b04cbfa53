import type { Action, Bundle, Entity } from '@colophon/model';
import { grownHistory } from '../../../../bench/support/grown-history.mjs';
import type { RecordedStep } from '../../src/record/recorded-step.js';

const START_MS = Date.parse('2026-03-01T09:00:00.000Z');
const HOUR_MS = 3_600_000;

/** `hour` counts from the start. By default a `transform` by `studio:ann`. */
export function actionOf(
  id: string,
  hour: number,
  given: Partial<
    Pick<Action, 'type' | 'performedBy' | 'inputCids' | 'outputCids' | 'aiTool' | 'extensions'>
  > = {},
): Action {
  const timestamp = new Date(START_MS + hour * HOUR_MS).toISOString();
  return {
    id,
    type: 'transform',
    performedBy: 'studio:ann',
    inputCids: [],
    outputCids: [],
    extensions: {},
    timestamp,
    recordedAt: timestamp,
    digest: `sha256:${'0'.repeat(64)}`,
    ...given,
  };
}

/** Returns an entity, by default a person. */
export function entityOf(id: string, name: string, role = 'human'): Entity {
  return { id, role, name, createdAt: new Date(START_MS).toISOString() };
}

/** Returns a bundle. Without `entities`, it has the performers. */
export function bundleOf(cid: string, actions: Action[], entities: Entity[] = []): Bundle {
  const made = new Map(
    actions.flatMap((action) => action.outputCids.map((output) => [output, action] as const)),
  );
  return {
    cid,
    actions,
    entities:
      entities.length > 0
        ? entities
        : [...new Set(actions.map(({ performedBy }) => performedBy))].map((id) => entityOf(id, id)),
    attributions: [],
    resources: [...made].map(([output, { id, performedBy, timestamp }]) => ({
      cid: output,
      type: 'image',
      locations: [],
      createdBy: performedBy,
      rootAction: id,
      state: 'claimed' as const,
      createdAt: timestamp,
    })),
    complete: true,
  };
}

/** Always the same history, with branches and joins. */
export function grownBundle(actionCount: number): Bundle {
  const { cid, entities, actions } = grownHistory(actionCount);
  const grown = actions.map(({ timestamp, type, performedBy, inputCids, outputCids, aiTool }, index) => ({
    ...actionOf(`a-${index}`, 0, { type, performedBy, inputCids, outputCids, ...(aiTool ? { aiTool } : {}) }),
    timestamp,
  }));
  return bundleOf(
    cid,
    grown,
    entities.map(({ id, name }) => entityOf(id, name)),
  );
}

export function recordedAs(given: Partial<Action>): RecordedStep {
  const action = { ...actionOf('1', 1, { type: 'create', outputCids: ['photo'] }), ...given };
  const performer = entityOf('studio:ann', 'Ann');
  return { action, statesTime: false, performer, note: '', name: 'photo', titles: {} };
}
