import {
  type Attribution,
  AUTH_EXTENSION,
  type ContentNames,
  type EntityInput,
  type OwnershipEvent,
  type SentProof,
} from '@colophon/model';
import { uuidv7 } from '../../platform/uuid-v7.js';
import type { RecordDeps } from '../deps.js';
import {
  type AssertedExtensions,
  draftAction,
  draftAttribution,
  draftEntity,
  type EntityDraft,
  withoutAbsent,
} from '../draft/draft-records.js';
import type { RecordItem } from '../draft/record-item.js';
import { readEvent } from '../read/ownership.sql.js';
import { readStoredEntity } from '../read/records.sql.js';
import { requireEntityId } from '../read/resolve-entity.js';
import { isNew, type Replayed, requireWritten, type Written } from '../write/outcome.js';
import { proveAction, proveNewEntity } from '../write/prove.js';

/** The id of a stored entity, or the fields of an entity. The default role is `human`. */
export type Who = string | EntityInput;

export interface OwnershipDraft {
  type: 'ext:ownership:claim@1.0.0' | 'ext:ownership:transfer@1.0.0';
  who: Who;
  /** `cid` is canonical. `sentCid` is the identifier in the request. */
  cid: string;
  sentCid: string;
  /** Stored in the extension whose key is `type`. */
  said: object;
  /** The default entity is the acting entity. */
  attributed: Pick<Attribution, 'role'> & { entityId?: string };
  ownership: NonNullable<RecordItem['ownership']>;
  proof: SentProof | undefined;
  /** The outputs that the proof signs, such as the new owner. The recorded action itself has no outputs. */
  signedOutputs: readonly string[];
  asserted: AssertedExtensions;
}

export type RecordedEvent = OwnershipEvent & { isNew: boolean };

/** Records the action, its attribution and the event, all or nothing. */
export async function recordOwnership(
  deps: RecordDeps,
  projectId: string,
  draft: OwnershipDraft,
): Promise<RecordedEvent> {
  const at = new Date();
  const id = uuidv7();
  const { performedBy, entities } = await bringEntity(deps, projectId, { who: draft.who, at });
  const action = {
    type: draft.type,
    performedBy,
    inputCids: [draft.cid],
    outputCids: [],
    proof: draft.proof,
  };
  const toItem = (asserted: AssertedExtensions) => draftItem({ draft, action, id, at, entities, asserted });
  // Finds the event of a repeated request, and all reasons to reject the request except a wrong proof.
  const earlier = await deps.recorder.check(projectId, toItem({}));
  const written = requireWritten(
    earlier ??
      (await deps.recorder.record(
        projectId,
        toItem({
          ...draft.asserted,
          ...authOf(deps),
          ...(await proveAction(deps, projectId, {
            id,
            at,
            action: { ...action, outputCids: [...draft.signedOutputs] },
            asSent: namesOf(draft),
            givenKey: typeof draft.who === 'string' ? undefined : draft.who.publicKey,
            outputsSeen: false,
            byBoundKey: deps.boundKey !== undefined,
          })),
        }),
      )),
  );
  return toEvent(deps, projectId, written);
}

/** Reads the event that an earlier request with this Idempotency-Key recorded. */
export async function readEarlierEvent(
  deps: RecordDeps,
  projectId: string,
): Promise<RecordedEvent | undefined> {
  const earlier = await deps.recorder.check(projectId, {});
  return earlier === undefined ? undefined : toEvent(deps, projectId, requireWritten(earlier));
}

async function toEvent(
  { provenance }: RecordDeps,
  projectId: string,
  written: Written | Replayed,
): Promise<RecordedEvent> {
  const event =
    written.action === null ? undefined : await readEvent(provenance, projectId, written.action.id);
  if (event === undefined)
    throw new Error(
      'The ownership event was recorded, but its action or its attribution cannot be read back',
    );
  return { ...event, isNew: isNew(written) };
}

function authOf({ boundKey }: RecordDeps): AssertedExtensions {
  if (boundKey === undefined) return {};
  const { keyId: id, entityId } = boundKey;
  return { [AUTH_EXTENSION]: { id, method: 'bound-api-key', entityId } };
}

function namesOf({ sentCid, signedOutputs }: OwnershipDraft): ContentNames {
  return { inputs: [sentCid], outputs: signedOutputs };
}

interface Started {
  draft: OwnershipDraft;
  action: Parameters<typeof proveAction>[2]['action'];
  id: string;
  at: Date;
  entities: EntityDraft[];
  asserted: AssertedExtensions;
}

function draftItem({ draft, action, id, at, entities, asserted }: Started): RecordItem {
  const { cid, type, attributed, ownership } = draft;
  const input = {
    ...action,
    extensions: { [type]: withoutAbsent({ targetRef: cid, ...draft.said }) },
    resourceType: 'other',
  };
  const { entityId = action.performedBy, role } = attributed;
  const target = { id: uuidv7(), entityId, actionId: id, resourceCid: cid, role };
  return {
    ...(entities.length === 0 ? {} : { entities }),
    action: draftAction(input, { id, idIsGiven: false, at, request: { id }, asserted }),
    attributions: [draftAttribution(target, {}, at)],
    ownership,
  };
}

async function bringEntity(
  deps: RecordDeps,
  projectId: string,
  { who, at }: { who: Who; at: Date },
): Promise<{ performedBy: string; entities: EntityDraft[] }> {
  if (typeof who === 'string') return { performedBy: who, entities: [] };
  if (who.id !== undefined && who.role === undefined) {
    const stored = await readStoredEntity(deps.provenance, projectId, who.id);
    if (stored !== undefined) return { performedBy: who.id, entities: [] };
  }
  const input: EntityInput = { ...who, role: who.role ?? 'human' };
  const id = await requireEntityId(deps, projectId, input);
  const { publicKey, registrationSignature } = input;
  const registration = { entityId: id, publicKey, registrationSignature, at };
  const asserted = await proveNewEntity(deps, projectId, registration);
  return { performedBy: id, entities: [draftEntity(input, { id, at, asserted })] };
}
