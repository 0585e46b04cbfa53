import type { Entity, EntityInput } from '@colophon/model';
import { draftEntity } from './draft-records.js';
import type { RecordNeeds } from './needs.js';
import { requireWritten } from './outcome.js';
import { proveNewEntity } from './prove.js';

/** Creates the entity, or retrieves it when it is stored with the same values; 409 `Conflict` when they differ. */
export async function createEntity(
  needs: RecordNeeds,
  projectId: string,
  input: EntityInput,
): Promise<{ id: string; created: boolean; entity: Entity }> {
  const id = await needs.identifyEntity(projectId, input);
  const at = new Date();
  const { publicKey, registrationSignature } = input;
  const registration = { entityId: id, publicKey, registrationSignature, at };
  const asserted = await proveNewEntity(needs, projectId, registration);
  const entities = [draftEntity(input, { id, at, asserted })];
  const written = requireWritten(await needs.recorder.record(projectId, { entities }));
  const [made] = written.outcome === 'recorded' ? written.entities : [];
  if (made === undefined) throw new Error('An entity was recorded without an answer');
  return made;
}
