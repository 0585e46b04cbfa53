import type { Entity, EntityInput, EntityPatch } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { RecordDeps } from '../deps.js';
import { readStoredEntity } from '../read/records.sql.js';
import { createEntity } from './create-entity.js';
import { updateEntity } from './update-entity.js';

const CHANGEABLE = ['name', 'metadata'] as const;

/** Throws `Conflict` when fields besides name and metadata differ, and for any change of an entity with a key. */
export async function putEntity(deps: RecordDeps, projectId: string, input: EntityInput): Promise<Entity> {
  try {
    return (await createEntity(deps, projectId, input)).entity;
  } catch (error) {
    const patch = await toPatch(deps, projectId, { input, error });
    if (patch === undefined || input.id === undefined) throw error;
    return updateEntity(deps, projectId, { id: input.id, patch });
  }
}

/** Returns undefined when the caller must throw `error`. */
async function toPatch(
  { provenance }: RecordDeps,
  projectId: string,
  { input, error }: { input: EntityInput; error: unknown },
): Promise<EntityPatch | undefined> {
  if (input.id === undefined || !(error instanceof ServiceError) || error.code !== 'Conflict')
    return undefined;
  const { fields = [] } = (error.details ?? {}) as { fields?: string[] };
  const changed = CHANGEABLE.filter((field) => fields.includes(field));
  if (changed.length === 0 || changed.length < fields.length) return undefined;
  const stored = await readStoredEntity(provenance, projectId, input.id);
  if (stored === undefined || stored.body.publicKey !== undefined) return undefined;
  return Object.fromEntries(changed.map((field) => [field, input[field]]));
}
