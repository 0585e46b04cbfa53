import type { Action, ActionInput, ContentNames } from '@colophon/model';
import { uuidv7 } from '../../platform/uuid-v7.js';
import type { RecordDeps } from '../deps.js';
import {
  type AssertedExtensions,
  draftAction,
  draftAttribution,
  withoutAbsent,
} from '../draft/draft-records.js';
import type { RecordItem } from '../draft/record-item.js';
import { isNew, type Outcome, requireWritten } from './outcome.js';
import { applyProofDecision, proveAction } from './prove.js';
import { requirePayable } from './require-payable.js';

type RecordedAction = { action: Action; replayed: boolean; isNew: boolean };

/** `replayed`: an earlier identical request recorded this action. `isNew`: this request recorded it. */
export async function recordAction(
  deps: RecordDeps,
  projectId: string,
  { input, asSent }: { input: ActionInput; asSent: ContentNames },
): Promise<RecordedAction> {
  const paid = [{ extensions: input.extensions, place: '' }];
  await requirePayable(deps.provenance, projectId, { paid });
  const start = { input, asSent, id: input.id ?? uuidv7(), at: new Date() };
  const { policy } = deps.proofs;
  const unproven = draftActionItem(start, {});
  if (policy === 'off') return toResult(await deps.recorder.record(projectId, unproven));
  // A repeated request gets the first response, even if the performer's key has changed since then.
  const earlier = await deps.recorder.check(projectId, { ...unproven, inputsMustBeKnown: true });
  const facts = { entityId: input.performedBy, actionId: start.id };
  const outcome = applyProofDecision(deps, earlier, facts);
  if (outcome !== undefined) return toResult(outcome);
  const asserted = await proveAction(deps, projectId, { ...start, action: input, outputsSeen: false });
  const item = { ...draftActionItem(start, asserted), inputsMustBeKnown: policy === 'enforce' };
  return toResult(await deps.recorder.record(projectId, item));
}

/** `at`: the time of arrival. */
export interface StartedAction {
  input: ActionInput;
  id: string;
  at: Date;
}

export function draftActionItem({ input, id, at }: StartedAction, asserted: AssertedExtensions): RecordItem {
  const [onlyOutput, ...more] = input.outputCids;
  const target = {
    id: uuidv7(),
    entityId: input.performedBy,
    actionId: id,
    ...(onlyOutput !== undefined && more.length === 0 ? { resourceCid: onlyOutput } : {}),
    role: performerRole(input.type),
  };
  const idIsGiven = input.id !== undefined;
  return {
    action: draftAction(input, { id, idIsGiven, at, request: withoutAbsent(input), asserted }),
    attributions: [draftAttribution(target, {}, at)],
  };
}

function toResult(outcome: Outcome): RecordedAction {
  const written = requireWritten(outcome);
  if (written.action === null)
    throw new Error('The database recorded an action and returned no result for it');
  return { action: written.action, replayed: written.outcome === 'replayed', isNew: isNew(written) };
}

/** The performer of a `reference` is the source of the content and not its creator. */
export function performerRole(actionType: string): 'creator' | 'source' {
  return actionType === 'reference' ? 'source' : 'creator';
}
