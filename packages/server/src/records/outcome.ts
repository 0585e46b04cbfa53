import type { Action, Entity, Resource } from '@colophon/model';
import { ServiceError } from '../errors.js';

/** What became of an item: written (or written before, by the same request), or why it was refused. */
export type Outcome = Written | Replayed | Refusal;

/** The item was written. */
export interface Written {
  outcome: 'recorded';
  entities: { id: string; created: boolean; entity: Entity }[];
  action: Action | null;
  resources: Resource[];
}

/** The same request with the same action id was written before. */
export interface Replayed {
  outcome: 'replayed';
  action: Action;
  resources: Resource[];
}

/** The item was not written, and nothing of it was. */
export type Refusal =
  | { outcome: 'actionConflict'; actionId: string }
  | { outcome: 'duplicate'; cid: string; actionId: string }
  | { outcome: 'entityConflict'; entityId: string; fields: string[] }
  | { outcome: 'unknownEntity'; entityId: string }
  | { outcome: 'cycle' };

/** The outcome when it was written; throws the error of the table that tells why it was not. */
export function requireWritten(outcome: Outcome): Written | Replayed {
  if (outcome.outcome === 'recorded' || outcome.outcome === 'replayed') return outcome;
  throw toError(outcome);
}

function toError(refusal: Refusal): ServiceError {
  switch (refusal.outcome) {
    case 'duplicate':
      return duplicate(refusal);
    case 'actionConflict':
      return new ServiceError('Conflict', `Action ${refusal.actionId} exists with another content.`, {
        recovery: 'Send the identical request to replay it, or choose another id.',
        details: { actionId: refusal.actionId },
      });
    case 'entityConflict':
      return new ServiceError('Conflict', `Entity ${refusal.entityId} is stored with other values.`, {
        recovery: 'Leave the listed fields out, or send the values that are stored.',
        details: { entityId: refusal.entityId, fields: refusal.fields },
      });
    case 'unknownEntity':
      return new ServiceError('NotFound', `There is no entity ${refusal.entityId} in this project.`, {
        recovery: 'Create it with POST /v1/entity first.',
        details: { entityId: refusal.entityId },
      });
    case 'cycle':
      return new ServiceError('ValidationError', 'An output would become its own ancestor.', {
        recovery: 'Name as outputs only content that none of the inputs was made from.',
        details: [{ path: 'outputCids', message: 'is an ancestor of an input' }],
      });
  }
}

/** The error for bytes that are recorded already. `restored`: they had been lost and were taken from this upload. */
export function duplicate(known: { cid: string; actionId: string }, restored = false): ServiceError {
  return new ServiceError('Duplicate', 'This content is already recorded in this project.', {
    details: { cid: known.cid, similarity: 1, actionId: known.actionId, ...(restored ? { restored } : {}) },
  });
}
