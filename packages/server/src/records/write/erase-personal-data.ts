import { committedBody, type RecordKind, verifyRecordDigest } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { mapYielding } from '../../platform/work/map-yielding.js';
import type { RecordDeps } from '../deps.js';
import { absent } from '../read/absent.js';
import {
  type ErasableRecord,
  type ErasurePosition,
  eraseAnswers,
  eraseRecords,
  listErasable,
  readErasedAt,
} from './erasure.sql.js';
import { eraseTitles } from './titles.sql.js';

export interface PersonalDataErasure {
  entityId: string;
  erasedAt: string;
  /** Number of records from which this erasure removed data. */
  erased: Record<'entities' | 'actions' | 'attributions', number>;
}

/**
 * Deletes personal fields and their salts, and the titles and thumbnails of outputs. Commitments remain, so every
 * digest and proof stays valid. A call that fails does not undo its changes; the next call continues. A record that
 * differs from its digest is not erased, because its commitments would not match its digest. The call then throws
 * `Conflict`. An erasure that has begun continues when the caller disconnects.
 */
export async function erasePersonalData(
  { provenance, scheduler }: Pick<RecordDeps, 'provenance' | 'scheduler'>,
  { projectId, entityId, signal }: { projectId: string; entityId: string; signal: AbortSignal },
): Promise<PersonalDataErasure> {
  const altered: AlteredRecord[] = [];
  const erase = (kind: RecordKind, beforeFirst?: AbortSignal) =>
    eraseKind({ provenance, scheduler, altered }, { projectId, kind, entityId, signal: beforeFirst });
  // The entity is erased first, so that no new record can copy its fields.
  const entities = await erase('entity', signal);
  assertNoneAltered(altered);
  const erasedAt = await readErasedAt(provenance, projectId, entityId);
  if (erasedAt === undefined) throw absent('entity', entityId);
  const finish = <Result>(work: Promise<Result>) =>
    work.catch((error): never => {
      throw toIncomplete(error);
    });
  const erased = {
    entities,
    actions: await finish(erase('action')),
    attributions: await finish(erase('attribution')),
  };
  await finish(eraseAllTitles({ provenance, scheduler }, { projectId, entityId }));
  // Stored responses come last, because from now on, no request can store one that shows the erased data.
  await finish(eraseAllAnswers({ provenance, scheduler }, { projectId, entityId }));
  assertNoneAltered(altered);
  return { entityId, erasedAt, erased };
}

/** If a step found no slot, returns an error that says that the erasure is not complete. */
function toIncomplete(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'Unavailable') return error;
  return new ServiceError('Unavailable', `The erasure is not complete. ${error.message}`, {
    recovery: 'Send the request again. It erases the remaining records.',
    headers: error.headers,
  });
}

interface AlteredRecord {
  kind: RecordKind;
  id: string;
}

const MAX_NAMED = 100;

function assertNoneAltered(altered: readonly AlteredRecord[]): void {
  if (altered.length === 0) return;
  throw new ServiceError(
    'Conflict',
    `${altered.length} records differ from their digests, and were not erased.`,
    {
      recovery: 'Ask the operator to restore these records from a backup. Then send the request again.',
      details: { records: altered.slice(0, MAX_NAMED) },
    },
  );
}

type ErasureDeps = Pick<RecordDeps, 'provenance' | 'scheduler'> & { altered: AlteredRecord[] };

interface ErasureTarget {
  projectId: string;
  kind: RecordKind;
  entityId: string;
  /** Ends the wait for the first step. */
  signal: AbortSignal | undefined;
}

async function eraseKind(deps: ErasureDeps, target: ErasureTarget): Promise<number> {
  let count = 0;
  for (let after: ErasurePosition | undefined; ; ) {
    const step = () => eraseNext(deps, target, after);
    const signal = after === undefined ? target.signal : undefined;
    const erased = await deps.scheduler.run({ projectId: target.projectId, kind: 'bulk', signal }, step);
    if (erased === undefined) return count;
    count += erased.count;
    after = erased.last;
  }
}

async function eraseAllTitles(
  { provenance, scheduler }: Pick<RecordDeps, 'provenance' | 'scheduler'>,
  { projectId, entityId }: Pick<ErasureTarget, 'projectId' | 'entityId'>,
): Promise<void> {
  const step = (after: ErasurePosition | undefined) =>
    scheduler.run({ projectId, kind: 'bulk' }, () => eraseTitles(provenance, projectId, { entityId, after }));
  for (let last = await step(undefined); last !== undefined; ) last = await step(last);
}

async function eraseAllAnswers(
  { provenance, scheduler }: Pick<RecordDeps, 'provenance' | 'scheduler'>,
  { projectId, entityId }: Pick<ErasureTarget, 'projectId' | 'entityId'>,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    const step = () => eraseAnswers(provenance, projectId, { entityId, after: from });
    after = await scheduler.run({ projectId, kind: 'bulk' }, step);
  }
}

/** Returns undefined when there is no further record. */
async function eraseNext(
  { provenance, altered }: ErasureDeps,
  { projectId, kind, entityId }: ErasureTarget,
  after: ErasurePosition | undefined,
): Promise<{ count: number; last: ErasurePosition | undefined } | undefined> {
  const { records: found, last } = await listErasable(provenance, projectId, { kind, entityId, after });
  if (last === undefined) return undefined;
  if (found.length === 0) return { count: 0, last };
  const sound: ErasableRecord[] = [];
  const committed = await mapYielding(found, (one) => {
    if (!verifyRecordDigest(kind, one.body, one.salts, `sha256:${one.digest}`)) {
      altered.push({ kind, id: one.id });
      return [];
    }
    sound.push(one);
    return [{ id: one.id, digest: one.digest, body: committedBody(kind, one.body, one.salts) }];
  });
  const records = committed.flat();
  const changed = await eraseRecords(provenance, projectId, { kind, records });
  // Another request changed the entity meanwhile. The next step reads it again.
  if (kind === 'entity' && changed < sound.length) return { count: 0, last: after };
  return {
    count: sound.filter(({ salts }) => kind === 'entity' || Object.keys(salts).length > 0).length,
    last,
  };
}
