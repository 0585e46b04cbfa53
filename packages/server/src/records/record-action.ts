import type { Action, ActionInput, ContentNames } from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import { draftAction, draftAttribution, withoutAbsent } from './draft-records.js';
import type { RecordNeeds } from './needs.js';
import { isNew, requireWritten } from './outcome.js';
import { performerRole } from './performer-role.js';
import { proveAction } from './prove.js';

/**
 * Records an action on content that is not uploaded with it. `replayed`: an action with this id was recorded before
 * by the same request. `isNew` unless the answer tells of what was recorded before.
 */
export async function recordAction(
  needs: RecordNeeds,
  projectId: string,
  { input, asSent }: { input: ActionInput; asSent: ContentNames },
): Promise<{ action: Action; replayed: boolean; isNew: boolean }> {
  const at = new Date();
  const id = input.id ?? uuidv7();
  const [onlyOutput, ...more] = input.outputCids;
  const attribution = draftAttribution(
    {
      id: uuidv7(),
      entityId: input.performedBy,
      actionId: id,
      ...(onlyOutput !== undefined && more.length === 0 ? { resourceCid: onlyOutput } : {}),
      role: performerRole(input.type),
    },
    {},
    at,
  );
  const asserted = await proveAction(needs, projectId, {
    id,
    at,
    action: input,
    asSent,
    outputsWitnessed: false,
  });
  const action = draftAction(input, {
    id,
    idIsGiven: input.id !== undefined,
    at,
    request: withoutAbsent(input),
    asserted,
  });
  const written = requireWritten(
    await needs.recorder.record(projectId, {
      action,
      attributions: [attribution],
      inputsMustBeKnown: needs.proofs.policy === 'enforce',
    }),
  );
  if (written.action === null) throw new Error('An action was recorded without an answer');
  return { action: written.action, replayed: written.outcome === 'replayed', isNew: isNew(written) };
}
