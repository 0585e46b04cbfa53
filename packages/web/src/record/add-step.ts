import type { ActivityRequest, BatchRequest } from '@colophon/model';
import type { Client } from '@colophon/sdk';

export interface Step {
  cid: string;
  actionId: string;
  entityId: string;
}

/** `outputCids`: for a correction, all outputs of the corrected step. */
export interface StepContents {
  cid: string;
  outputCids?: readonly string[] | undefined;
}

/** A further call with the same object records neither the step nor its new person again. */
export interface Attempt {
  actionId: string;
  entityId?: string;
}

/**
 * Records a further step and its note, both or neither. Records a new person first, because the service creates the id;
 * this person stays recorded if the step fails.
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

export function toBatch(
  { action, attribution }: ActivityRequest,
  { cid, outputCids = [cid], actionId, entityId }: Step & StepContents,
): Pick<BatchRequest, 'actions' | 'attributions'> {
  const role = action?.type === 'reference' ? 'source' : 'creator';
  return {
    actions: [{ ...action, id: actionId, performedBy: entityId, outputCids: [...outputCids] }],
    // The service creates the attribution for the content without a note, so this one has the note.
    ...(attribution === undefined ? {} : { attributions: [{ ...attribution, entityId, actionId, role }] }),
  };
}
