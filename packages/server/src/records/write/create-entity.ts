import type { Entity, EntityInput } from '@colophon/model';
import type { RecordDeps } from '../deps.js';
import { draftEntity, withoutAbsent } from '../draft/draft-records.js';
import { resolveEntity } from '../read/resolve-entity.js';
import { requireWritten } from './outcome.js';
import { proveNewEntity } from './prove.js';
import { updateEntity } from './update-entity.js';

/**
 * Returns the stored entity if it has the same values, and throws `Conflict` if they differ. If no entity of this role
 * and name has the wallet, and only one of them has no wallet, this entity gets the wallet.
 */
export async function createEntity(
  deps: RecordDeps,
  projectId: string,
  input: EntityInput,
): Promise<{ id: string; created: boolean; entity: Entity }> {
  const { id, lacksWallet } = await resolveEntity(deps, projectId, input);
  const at = new Date();
  const { publicKey, registrationSignature } = input;
  const registration = { entityId: id, publicKey, registrationSignature, at };
  const asserted = await proveNewEntity(deps, projectId, registration);
  const drafted = draftEntity(input, { id, at, asserted });
  if (lacksWallet) {
    // Compares the name too, so an entity that another request renames meanwhile does not get the wallet.
    const given = withoutAbsent({ ...drafted.given, name: input.name }, ['wallet']);
    const options = { id, patch: { wallet: input.wallet }, mustAgree: { ...drafted, given } };
    return { id, created: false, entity: await updateEntity(deps, projectId, options) };
  }
  const entities = [drafted];
  const written = requireWritten(await deps.recorder.record(projectId, { entities }));
  const [made] = written.outcome === 'recorded' ? written.entities : [];
  if (made === undefined) throw new Error('The database recorded an entity and returned no result for it');
  return made;
}
