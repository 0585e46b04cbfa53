import type { ActivityRequest, BatchRequest } from '@colophon/model';
import type { Client } from '@colophon/sdk';

export interface Step {
  cid: string;
  actionId: string;
  entityId: string;
}

/** Contents of a step: `cid`, and for a correction, all outputs of the corrected step. */
export interface StepContents {
  cid: string;
  outputCids?: readonly string[] | undefined;
}

/**
 * The ids of a step that the page tries to record. If the response to the step was lost, a further call with the same
 * object does not record the step or its new person again. `entityId` is undefined until the page knows the person's
 * id.
 */
export interface Attempt {
  actionId: string;
  entityId?: string;
}

/**
 * Records the entries of `activity` as a further step of the recorded content `cid`. One request records the step and
 * its note, both or neither. The service creates the id of a new person, so the function records the person first, and
 * stores the id in `attempt`. If the step then fails, the person stays recorded.
 */
export async function addStep(
  client: Client,
  { activity, attempt, ...contents }: StepContents & { activity: ActivityRequest; attempt: Attempt },
  options: { signal: AbortSignal },
): Promise<Step> {
  const { entity } = activity;
  attempt.entityId ??= entity.id ?? (await client.entities.create(entity, options)).id;
  const { actionId, entityId } = attempt;
  await client.batch(toBatch(activity, { ...contents, actionId, entityId }), options);
  return { cid: contents.cid, actionId, entityId };
}

/** Returns the request that records a further step of a content. */
export function toBatch(
  { action, attribution }: ActivityRequest,
  { cid, outputCids = [cid], actionId, entityId }: Step & StepContents,
): Pick<BatchRequest, 'actions' | 'attributions'> {
  const role = action?.type === 'reference' ? 'source' : 'creator';
  return {
    actions: [{ ...action, id: actionId, performedBy: entityId, outputCids: [...outputCids] }],
    // The service creates the attribution for the content, but without a note. So the request has an attribution for
    // the action, with the note.
    ...(attribution === undefined ? {} : { attributions: [{ ...attribution, entityId, actionId, role }] }),
  };
}
