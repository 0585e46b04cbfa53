import type { BatchAnswer, BatchInput, ContentNames } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { uuidv7 } from '../../platform/uuid-v7.js';
import { mapYielding } from '../../platform/work/map-yielding.js';
import type { RecordDeps } from '../deps.js';
import { type AssertedExtensions, draftAttribution, draftEntity } from '../draft/draft-records.js';
import type { RecordItem } from '../draft/record-item.js';
import { readBodyBytes } from '../read/records.sql.js';
import { resolveTogether } from '../read/resolve-entity.js';
import { tooManySerial } from './batch-kind.js';
import { type BatchOutcome, type BatchRecord, toError } from './outcome.js';
import { type BatchFault, proveBatch } from './prove-batch.js';
import { draftActionItem } from './record-action.js';
import { MAX_DETAILS, refuseBatch, stoppedAfterEntities, stoppedAfterSignatures } from './refuse-batch.js';
import { requirePayable } from './require-payable.js';

/**
 * Maximum size of the compared entities, in bytes. An entity counts each time. This limit is above the maximum size of
 * a batch (4 MiB), so that a batch can be repeated.
 */
const MAX_COMPARED_BYTES = 6 * 2 ** 20;

const SERIAL_BATCH = {
  subject: 'The batch',
  recovery:
    'Earlier actions have used outputs of these actions, or the batch names a content by an alias. Send several ' +
    'smaller batches in the same order',
};

export interface Batch {
  input: BatchInput;
  asSent: readonly ContentNames[];
  /** Has no effect after the write has begun. */
  signal?: AbortSignal;
}

/** `isNew`: this request created a record, or it repeats a request that created one. */
export interface RecordedBatch {
  answer: BatchAnswer;
  actionsRecorded: number;
  isNew: boolean;
}

interface StartedBatch extends Batch {
  entityIds: readonly string[];
  actionIds: readonly string[];
  at: Date;
}

/**
 * Records all or none. The error lists at most 50 wrong records, which the first failed check found. A record that
 * exists is not created again, so a batch with ids can be repeated.
 */
export async function recordBatch(deps: RecordDeps, projectId: string, batch: Batch): Promise<RecordedBatch> {
  const { input, signal } = batch;
  const earlier = await deps.recorder.repeatBatch(projectId);
  if (earlier !== undefined) return toResult(input, earlier);
  const entityIds = await requireEntityIds(deps, projectId, batch);
  await assertComparable(deps, projectId, { ...batch, entityIds });
  const actionIds = input.actions.map(({ id }) => id ?? uuidv7());
  const started = { ...batch, entityIds, actionIds, at: new Date() };
  await requirePayable(deps.provenance, projectId, {
    paid: input.actions.map(({ extensions }, index) => ({ extensions, place: `actions.${index}.` })),
    alsoPayable: entityIds.filter((_, index) => input.entities[index]?.wallet !== undefined),
  });
  signal?.throwIfAborted();
  const { identities, asserted, faults, isCut } = await prove(deps, projectId, started);
  const [fault, ...more] = faults;
  if (fault !== undefined) {
    const stopped = isCut ? stoppedAfterSignatures(deps.proofs.maxFaults) : undefined;
    throw refuseBatch([fault, ...more], stopped);
  }
  const items = await draftItems(started, { identities, asserted });
  const inputsMustBeKnown = deps.proofs.policy === 'enforce';
  signal?.throwIfAborted();
  const outcome = await deps.recorder.recordBatch(projectId, {
    items: items.map((item) => (item.action === undefined ? item : { ...item, inputsMustBeKnown })),
  });
  return toResult(input, outcome);
}

async function requireEntityIds(
  deps: RecordDeps,
  projectId: string,
  { input: { entities }, signal }: Pick<Batch, 'input' | 'signal'>,
): Promise<string[]> {
  const ids: string[] = [];
  const faults: BatchFault[] = [];
  const resolveAt = await resolveTogether(deps, projectId, { entities, signal });
  for (const index of entities.keys()) {
    signal?.throwIfAborted();
    if (faults.length === MAX_DETAILS) break;
    try {
      ids.push(await resolveAt(index));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'Conflict') throw error;
      faults.push({ place: `entities.${index}`, error });
    }
  }
  const [first, ...others] = faults;
  const isCut = ids.length + faults.length < entities.length;
  if (first !== undefined) throw refuseBatch([first, ...others], isCut ? stoppedAfterEntities() : undefined);
  return ids;
}

/** Limits how much one statement reads to compare the entities with the stored ones. */
async function assertComparable(
  { provenance }: RecordDeps,
  projectId: string,
  batch: Pick<StartedBatch, 'input' | 'entityIds' | 'signal'>,
): Promise<void> {
  const sizes = await measureRepeated(batch);
  const compared = batch.entityIds.flatMap((id, index) => {
    const { id: _id, role: _role, ...values } = batch.input.entities[index] ?? {};
    const isCompared = Object.values(values).some((value) => value !== undefined);
    return isCompared ? [{ id, sizeIfNewBytes: sizes.get(id) ?? 0 }] : [];
  });
  if (compared.length < 2 || (await readBodyBytes(provenance, projectId, compared)) <= MAX_COMPARED_BYTES)
    return;
  throw new ServiceError(
    'PayloadTooLarge',
    'The entities that are already stored, or that occur several times in this batch, have more than 6 MiB of JSON.',
    {
      recovery:
        'Send each entity only once, send smaller batches, or send only the `id` and `role` of stored entities.',
    },
  );
}

/** Returns the size of the largest JSON of each repeated entity, which later occurrences are compared with. */
async function measureRepeated({
  input: { entities },
  entityIds,
  signal,
}: Pick<StartedBatch, 'input' | 'entityIds' | 'signal'>): Promise<Map<string, number>> {
  const once = new Set<string>();
  const sizes = new Map<string, number>();
  for (const id of entityIds) {
    if (once.has(id)) sizes.set(id, 0);
    once.add(id);
  }
  const measure = (id: string, index: number) => {
    const size = sizes.get(id);
    if (size === undefined) return;
    sizes.set(id, Math.max(size, Buffer.byteLength(JSON.stringify(entities[index]))));
  };
  await mapYielding(entityIds, measure, signal);
  return sizes;
}

function prove(
  deps: RecordDeps,
  projectId: string,
  { input, asSent, entityIds, actionIds, at }: StartedBatch,
) {
  return proveBatch(deps, projectId, {
    registrations: input.entities.map(({ publicKey, registrationSignature }, index) => ({
      entityId: entityIds[index] ?? '',
      publicKey,
      registrationSignature,
      at,
    })),
    actions: input.actions.map((action, index) => ({
      id: actionIds[index] ?? '',
      at,
      action,
      asSent: asSent[index] ?? { inputs: [], outputs: [] },
      outputsSeen: false,
    })),
  });
}

async function draftItems(
  { input, entityIds, actionIds, at }: StartedBatch,
  { identities, asserted }: Record<'identities' | 'asserted', AssertedExtensions[]>,
): Promise<RecordItem[]> {
  const entities = await mapYielding(input.entities, (entity, index) => ({
    entities: [draftEntity(entity, { id: entityIds[index] ?? '', at, asserted: identities[index] ?? {} })],
  }));
  const actions = await mapYielding(input.actions, (action, index) =>
    draftActionItem({ input: action, id: actionIds[index] ?? '', at }, asserted[index] ?? {}),
  );
  const attributions = await mapYielding(input.attributions, (attribution) => ({
    attributions: [draftAttribution({ ...attribution, id: uuidv7() }, {}, at)],
  }));
  return [...entities, ...actions, ...attributions];
}

function toResult(input: BatchInput, outcome: BatchOutcome): RecordedBatch {
  if (outcome.outcome === 'refused') {
    const [first, ...others] = outcome.refused.map(({ place, refusal }) => ({
      place: placeOf(input, place),
      error: toError(refusal),
    }));
    if (first === undefined) throw new Error('The database rejected a batch and returned no reason');
    throw refuseBatch([first, ...others]);
  }
  if (outcome.outcome === 'serial') throw tooManySerial(outcome, SERIAL_BATCH);
  if (outcome.outcome !== 'recorded') throw toError(outcome);
  const { records, repeated } = outcome;
  const answer = toAnswer(input, records);
  const made = repeated ? [] : answer.actions.filter(({ replayed }) => !replayed);
  return { answer, actionsRecorded: made.length, isNew: records.some(({ created }) => created) };
}

/** Returns, for example, `actions.3`. */
function placeOf({ entities, actions }: BatchInput, place: number): string {
  if (place < entities.length) return `entities.${place}`;
  const index = place - entities.length;
  return index < actions.length ? `actions.${index}` : `attributions.${index - actions.length}`;
}

function toAnswer({ entities, actions }: BatchInput, records: readonly BatchRecord[]): BatchAnswer {
  const firstAttribution = entities.length + actions.length;
  const plain = ({ id, created }: BatchRecord) => ({ id, created });
  return {
    entities: records.slice(0, entities.length).map(plain),
    actions: records
      .slice(entities.length, firstAttribution)
      .map(({ id, digest = '', created }) => ({ actionId: id, digest, replayed: !created })),
    attributions: records.slice(firstAttribution).map(plain),
  };
}
