import {
  type Action,
  type Attribution,
  type Entity,
  entityRoleSchema,
  type Match,
  type Resource,
} from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { withoutAbsent } from '../draft/draft-records.js';

export type Outcome = Written | Replayed | Refusal;

export type WrittenResource = Pick<Resource, 'cid' | 'type' | 'mimeType' | 'size' | 'state'>;

export interface Written {
  outcome: 'recorded';
  /** Entities of an item without an action. */
  entities: { id: string; created: boolean; entity: Entity }[];
  /** Attributions of an item without an action. `created` is false when the same one was stored already. */
  attributions: { created: boolean; attribution: Attribution }[];
  action: Action | null;
  resources: WrittenResource[];
  matches?: Match[];
  matchesComplete?: boolean;
  /** True for the response of an earlier request with the same Idempotency-Key. */
  repeated?: true;
}

/** The same request with the same action id was written earlier. */
export interface Replayed {
  outcome: 'replayed';
  action: Action;
  resources: WrittenResource[];
}

/** Nothing of the item was written. */
export type Refusal =
  | { outcome: 'actionConflict'; actionId: string }
  | ({ outcome: 'duplicate' } & KnownContent)
  | { outcome: 'entityConflict'; entityId: string; fields: string[] }
  | { outcome: 'roleMissing'; entityId: string }
  | { outcome: 'unknownEntity'; entityId: string }
  | { outcome: 'unknownAction'; actionId: string }
  | { outcome: 'unknownContent'; cid: string }
  | { outcome: 'ownerChanged'; cid: string }
  | { outcome: 'idempotencyMismatch' }
  | { outcome: 'actionProofUsed'; actionId: string }
  | { outcome: 'erased'; entityId: string; erasedAt: string }
  | { outcome: 'stale' }
  | { outcome: 'cycle'; unchecked?: Unchecked }
  | { outcome: 'cycle'; unchecked: 'references' | 'together'; alias: string };

/**
 * Why the database could not check for a cycle. `history`: too many links to ancestors and to descendants. `together`:
 * too many links for all records of the transaction. `short`: the check needs longer walks; only the recorder sees this
 * value.
 *
 * With the member `alias`, it is why the CID in `alias` did not become an alias of the upload. `references`,
 * `together`: the records that name the new aliases of this item, or of all items, are too many or too large.
 */
type Unchecked = 'history' | 'together' | 'short';

/** Stored responses of earlier versions lack `state`. */
interface KnownContent {
  cid: string;
  actionId: string;
  state?: Resource['state'];
}

/** Only actions have a `digest`. */
export interface BatchRecord {
  id: string;
  created: boolean;
  digest?: string;
}

/**
 * With the outcome `refused` or `serial`, nothing was written. `serial`: too many actions must be written one by one.
 */
export type BatchOutcome =
  | { outcome: 'recorded'; records: BatchRecord[]; repeated?: true }
  | { outcome: 'refused'; refused: { place: number; refusal: Refusal }[] }
  | { outcome: 'serial'; actions: number; most: number }
  | Extract<Refusal, { outcome: 'idempotencyMismatch' | 'erased' }>;

/** Throws the matching `ServiceError` for a refusal. */
export function requireWritten(outcome: Outcome): Written | Replayed {
  if (outcome.outcome === 'recorded' || outcome.outcome === 'replayed') return outcome;
  throw toError(outcome);
}

export function isNew(written: Written | Replayed): boolean {
  return written.outcome === 'recorded' && written.repeated === undefined;
}

export function toError(refusal: Refusal): ServiceError {
  switch (refusal.outcome) {
    case 'duplicate':
      return duplicate(refusal);
    case 'actionConflict':
      return new ServiceError('Conflict', `Action ${refusal.actionId} exists with different values.`, {
        recovery: 'Send the identical request to replay it, or choose another id.',
        details: { actionId: refusal.actionId },
      });
    case 'entityConflict':
      return entityConflict(refusal.entityId, refusal.fields);
    case 'roleMissing':
      return roleMissing(refusal.entityId);
    case 'unknownEntity':
      return unknown('entity', refusal.entityId, 'Create it with POST /v1/entity first.');
    case 'unknownAction':
      return unknown('action', refusal.actionId, 'Record it with POST /v1/action first.');
    case 'unknownContent':
      return unknown(
        'content',
        refusal.cid,
        'Record the content first with POST /v1/activity, or name recorded content.',
      );
    case 'ownerChanged':
      return new ServiceError(
        'Conflict',
        `Another request changed the owner of the content ${refusal.cid}.`,
        {
          recovery: 'Read its ownership, then decide whether to send the request again.',
        },
      );
    case 'idempotencyMismatch':
      return new ServiceError('ValidationError', 'This Idempotency-Key was used for another request.', {
        recovery: 'Use a new key for a new request.',
        details: [{ path: 'Idempotency-Key', message: 'was used for another request within 24 hours' }],
      });
    case 'actionProofUsed':
      return new ServiceError('Conflict', `The proof was already used for action ${refusal.actionId}.`, {
        recovery:
          'Sign each action separately, with its own timestamp. To repeat an action, send it with its id.',
        details: { actionId: refusal.actionId },
      });
    case 'erased':
      return erased(refusal);
    case 'stale':
      return new ServiceError('Conflict', 'Another request changed the record at the same time.', {
        recovery: 'Try again.',
      });
    case 'cycle':
      if ('alias' in refusal) return muchUsedAlias(refusal);
      return refusal.unchecked === undefined ? cycle() : uncheckedCycle(refusal.unchecked);
  }
}

function cycle(): ServiceError {
  return new ServiceError('ValidationError', 'An output would become its own ancestor.', {
    recovery: 'Remove the outputs that are ancestors of an input.',
    details: [{ path: 'outputCids', message: 'is an ancestor of an input' }],
  });
}

function uncheckedCycle(unchecked: Unchecked): ServiceError {
  if (unchecked === 'together')
    return new ServiceError(
      'PayloadTooLarge',
      'The search for cycles ended at its limit: it followed 40,000 links for the records before this one.',
      { recovery: 'Send fewer records in each request, or record results as new content.' },
    );
  const message =
    'The search for cycles ended at its limit. The inputs have 10,000 or more links to ancestors, ' +
    'and the outputs have 10,000 or more links to descendants.';
  return new ServiceError('ValidationError', message, {
    recovery: 'Record the result as new content, under a CID that no action has used as an input.',
    details: [{ path: 'outputCids', message: 'has too many descendants to exclude a cycle' }],
  });
}

/** The limits are those of the SQL function `refuse_aliases`. */
function muchUsedAlias({ alias, unchecked }: { alias: string; unchecked: string }): ServiceError {
  if (unchecked === 'together')
    return new ServiceError(
      'PayloadTooLarge',
      `Too many records name the new aliases of this request. One of these aliases is ${alias}.`,
      { recovery: 'Send fewer files in each request.' },
    );
  const excess = 'more than 1,000 records name it, or the actions that name it have more than 4 MiB in total';
  const message = `The CID ${alias} of this file would become an alias, but ${excess}.`;
  return new ServiceError('ValidationError', message, {
    recovery: `Name the content by ${alias} without sending its bytes, or record the file in another project.`,
    details: [{ path: 'file', message: `has the alias ${alias}, which too many records name` }],
  });
}

/** `fields`: the names of the values that differ from the stored ones. */
export function entityConflict(entityId: string, fields: string[]): ServiceError {
  return new ServiceError('Conflict', `Entity ${entityId} is stored with other values.`, {
    recovery: 'Leave out the fields in details.fields, or send their stored values.',
    details: { entityId, fields },
  });
}

function roleMissing(entityId: string): ServiceError {
  const message = `Missing: expected ${entityRoleSchema.description}, since ${entityId} is not stored yet`;
  return new ServiceError('ValidationError', `Entity ${entityId} is new, so it needs a role.`, {
    recovery: 'Send its role, or the id of an entity that is stored: GET /v1/entities lists them.',
    details: [{ path: 'role', message }],
  });
}

function erased({ entityId, erasedAt }: { entityId: string; erasedAt: string }): ServiceError {
  return new ServiceError('Conflict', `The personal data of entity ${entityId} was erased.`, {
    recovery:
      'Send only the id and role of the entity, or use another id. Requests from before the erasure cannot be repeated.',
    details: { entityId, erasedAt },
  });
}

function unknown(kind: 'entity' | 'action' | 'content', id: string, recovery: string): ServiceError {
  const member = { entity: 'entityId', action: 'actionId', content: 'cid' }[kind];
  return new ServiceError('NotFound', `There is no ${kind} ${id} in this project.`, {
    recovery,
    details: { [member]: id },
  });
}

/** `restored`: the store had lost the bytes, and this upload restored them. */
interface DuplicateFacts {
  restored?: boolean;
  matches?: Match[];
  matchesComplete?: boolean;
  /** The entity for which the error suggests a claim. */
  entityId?: string;
}

export function duplicate(
  { cid, actionId, state }: KnownContent,
  { restored = false, matches = [], matchesComplete, entityId = '<entity id>' }: DuplicateFacts = {},
): ServiceError {
  const claim = JSON.stringify({ type: 'create', performedBy: entityId, outputCids: [cid] });
  const details = { cid, similarity: 1, actionId, state, matches, matchesComplete };
  return new ServiceError('Duplicate', 'This content is already recorded in this project.', {
    ...(state === 'referenced' && {
      recovery: `Use \`details.cid\` as an input. The maker of the content claims it with POST /v1/action and the body ${claim}.`,
    }),
    details: { ...withoutAbsent(details), ...(restored ? { restored } : {}) },
  });
}
