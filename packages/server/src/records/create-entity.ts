import type { Entity, EntityInput } from '@colophon/model';
import { draftEntity } from './draft-records.js';
import type { RecordNeeds } from './needs.js';
import { requireWritten } from './outcome.js';

/** Creates the entity, or retrieves it when it is stored with the same values; 409 `Conflict` when they differ. */
export async function createEntity(
  { recorder, identifyEntity }: RecordNeeds,
  projectId: string,
  input: EntityInput,
): Promise<{ id: string; created: boolean; entity: Entity }> {
  const id = await identifyEntity(projectId, input);
  const written = requireWritten(
    await recorder.record(projectId, { entities: [draftEntity(input, id, new Date())] }),
  );
  const [made] = written.outcome === 'recorded' ? written.entities : [];
  if (made === undefined) throw new Error('An entity was recorded without an answer');
  return made;
}
