import type { ActivityInput, ActivityResult } from '@colophon/model';
import type { RecordDeps } from '../deps.js';
import type { RecordItem } from '../draft/record-item.js';
import { readStoredEntity } from '../read/records.sql.js';
import type { Outcome } from './outcome.js';

/** Whether the only reason for a rejection is an entity's name that differs from the stored one. */
export function isNameConflict(refusal: Outcome | undefined): boolean {
  if (refusal?.outcome !== 'entityConflict') return false;
  const [field, ...others] = refusal.fields;
  return field === 'name' && others.length === 0;
}

/** Returns the item without names that differ from the stored ones. A new entity keeps the name of the request. */
export function withoutNames<Item extends RecordItem>(item: Item): Item {
  const entities = (item.entities ?? []).map(({ given: { name: _, ...given }, ...draft }) => ({
    ...draft,
    given,
  }));
  return item.entities === undefined ? item : { ...item, entities };
}

/** Reports a name that differs from the stored one. An id that derives from the name does not count. */
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
