import type { ActivityInput, ActivityResult } from '@colophon/model';
import type { RecordDeps } from '../deps.js';
import type { RecordItem } from '../draft/record-item.js';
import { readStoredEntity } from '../read/records.sql.js';
import type { Outcome } from './outcome.js';

export function isNameConflict(refusal: Outcome | undefined): boolean {
  if (refusal?.outcome !== 'entityConflict') return false;
  const [field, ...others] = refusal.fields;
  return field === 'name' && others.length === 0;
}

/** Without the name in `given`, a different stored name causes no conflict. A new entity still gets its name. */
export function withoutNames<Item extends RecordItem>(item: Item): Item {
  const entities = (item.entities ?? []).map(({ given: { name: _, ...given }, ...draft }) => ({
    ...draft,
    given,
  }));
  return item.entities === undefined ? item : { ...item, entities };
}

/** The result is empty if the request lacks the id or the name. */
export async function nameDifference(
  { provenance }: RecordDeps,
  projectId: string,
  { input: { entity } }: { input: ActivityInput },
): Promise<Pick<ActivityResult, 'nameDiffers'>> {
  const { id, name: sent } = entity;
  if (id === undefined || sent === undefined) return {};
  const name = (await readStoredEntity(provenance, projectId, id))?.body.name;
  const stored = typeof name === 'string' ? name : null;
  return stored === sent ? {} : { nameDiffers: { stored, sent } };
}
