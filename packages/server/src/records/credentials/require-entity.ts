import { type Entity, entitySchema } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { RecordDeps } from '../deps.js';
import { readStoredEntity } from '../read/records.sql.js';

export async function requireEntity(
  { provenance }: Pick<RecordDeps, 'provenance'>,
  projectId: string,
  id: string,
): Promise<Entity> {
  const stored = await readStoredEntity(provenance, projectId, id);
  if (stored !== undefined) return entitySchema.parse(stored.body);
  throw new ServiceError('NotFound', `There is no entity ${id} in this project.`, {
    recovery: 'Create it with POST /v1/entity first.',
    details: { entityId: id },
  });
}
