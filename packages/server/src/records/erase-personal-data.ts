import { committedBody, type RecordKind } from '@colophon/model';
import { ServiceError } from '../errors.js';
import { eraseAnswers, eraseRecords, listErasable, type Position, readErasedAt } from './erasure.sql.js';
import type { RecordNeeds } from './needs.js';

/** What became of an entity's personal data. */
export interface PersonalDataErasure {
  entityId: string;
  /** When the entity itself was erased: at the first call. */
  erasedAt: string;
  /** Records from which this call took something. */
  erased: Record<'entities' | 'actions' | 'attributions', number>;
}

/**
 * Erases the personal fields of an entity, of the actions that it performed and of its attributions. Values and salts
 * go; commitments stay, so that every digest and proof holds. What the call has done stays done when it fails; another
 * call does the rest.
 */
export async function erasePersonalData(
  { provenance }: Pick<RecordNeeds, 'provenance'>,
  projectId: string,
  entityId: string,
): Promise<PersonalDataErasure> {
  const erase = (kind: RecordKind) => eraseKind({ provenance }, projectId, { kind, entityId });
  // The entity first: from then on nothing can take its words from it.
  const entities = await erase('entity');
  const erasedAt = await readErasedAt(provenance, projectId, entityId);
  if (erasedAt === undefined)
    throw new ServiceError('NotFound', `There is no entity ${entityId} in this project.`);
  const erased = { entities, actions: await erase('action'), attributions: await erase('attribution') };
  await eraseAnswers(provenance, projectId, entityId);
  return { entityId, erasedAt, erased };
}

async function eraseKind(
  { provenance }: Pick<RecordNeeds, 'provenance'>,
  projectId: string,
  { kind, entityId }: { kind: RecordKind; entityId: string },
): Promise<number> {
  let count = 0;
  for (let after: Position | undefined; ; ) {
    const found = await listErasable(provenance, projectId, { kind, entityId, after });
    const last = found.at(-1);
    if (last === undefined) return count;
    const records = found.map(({ id, digest, body, salts }) => ({
      id,
      digest,
      body: committedBody(kind, body, salts),
    }));
    const changed = await eraseRecords(provenance, projectId, { kind, records });
    // Somebody changed the entity in between: it is listed once more.
    if (kind === 'entity' && changed === 0) continue;
    count += found.filter(({ salts }) => kind === 'entity' || Object.keys(salts).length > 0).length;
    after = last;
  }
}
