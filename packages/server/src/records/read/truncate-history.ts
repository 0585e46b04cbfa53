import { setImmediate as letOthersRun } from 'node:timers/promises';
import { mapYielding } from '../../platform/work/map-yielding.js';
import { sortYielding } from '../../platform/work/sort-yielding.js';
import type { ActionKey, AttributionKey, NamedKey } from './long-histories.sql.js';

/** `actions`: nearest first. */
export interface WholeHistory {
  actions: readonly ActionKey[];
  attributions: readonly AttributionKey[];
  entities: ReadonlyMap<string, NamedKey>;
  resources: ReadonlyMap<string, NamedKey>;
  /** Maps an id to its place. The entries are in the order of the places. */
  places: ReadonlyMap<string, number>;
}

/** Measures records in the unit of a limit: bytes or items. */
interface Measure {
  record(key: { bytes: number } | undefined): number;
  content(resource: { bytes: number } | undefined): number;
}

/** Approximate size of a resource without extensions as JSON, in bytes. */
export const RESOURCE_BYTES = 500;
const IN_BYTES: Measure = {
  record: (key) => key?.bytes ?? 0,
  content: (resource) => RESOURCE_BYTES + (resource?.bytes ?? 0),
};
const IN_ITEMS: Measure = { record: () => 1, content: () => 1 };

interface TruncatedHistory {
  actions: ActionKey[];
  attributions: AttributionKey[];
}

/** An action counts with the records and contents that no earlier action shows. At least the first action remains. */
export async function truncateHistory(
  history: WholeHistory,
  { maxBytes, maxItems }: { maxBytes: number; maxItems?: number | undefined },
): Promise<TruncatedHistory> {
  const fits = await cut(history, maxBytes, IN_BYTES);
  return maxItems === undefined ? fits : cut({ ...history, ...fits }, maxItems, IN_ITEMS);
}

async function cut(
  history: WholeHistory,
  most: number,
  { record, content }: Measure,
): Promise<TruncatedHistory> {
  const { entities } = history;
  const acts = fitting(history.actions, most, record);
  const attributions = await placeAttributions(history, acts);
  await letOthersRun();
  const sums = new Array<number>(acts.length + 2).fill(0);
  const add = (place: number, bytes: number) => {
    sums[place] = (sums[place] ?? 0) + bytes;
  };
  const entityPlaces = new Map<string, number>();
  const placeEntity = (id: string, place: number) => {
    entityPlaces.set(id, Math.min(place, entityPlaces.get(id) ?? place));
  };
  acts.forEach((act, index) => {
    add(index + 1, record(act));
    placeEntity(act.performedBy, index + 1);
  });
  for (const [cid, place] of history.places) {
    if (place > lastPlace(acts)) break;
    add(place, content(history.resources.get(cid)));
  }
  for (const { key, place } of attributions) {
    add(place, record(key));
    placeEntity(key.entityId, place);
  }
  for (const [id, place] of entityPlaces) add(place, record(entities.get(id)));
  const last = lastFitting(sums, most);
  const named = new Set<string>();
  const weigh = ({ key }: Placed) => {
    const isNew = !named.has(key.entityId);
    named.add(key.entityId);
    return record(key) + (isNew ? record(entities.get(key.entityId)) : 0);
  };
  const near = attributions.filter(({ place }) => place <= last);
  return {
    actions: acts.slice(0, last),
    attributions: fitting(near, most, weigh, 0).map(({ key }) => key),
  };
}

interface Placed {
  key: AttributionKey;
  place: number;
}

/** Returns the first items within the limit, but at least `least` items. */
function fitting<Item>(
  items: readonly Item[],
  maxBytes: number,
  weigh: (item: Item) => number,
  least = 1,
): Item[] {
  let sum = 0;
  const end = items.findIndex((item) => {
    sum += weigh(item);
    return sum > maxBytes;
  });
  return end === -1 ? [...items] : items.slice(0, Math.max(least, end));
}

/** Maps each content to the position (from 1) of the first action that names it. Stops beyond `most` contents. */
export async function placeContent(
  acts: readonly ActionKey[],
  root: string | undefined,
  most: number,
): Promise<Map<string, number>> {
  const places = new Map<string, number>(root === undefined ? [] : [[root, 1]]);
  await mapYielding(acts, ({ inputs, outputs }, index) => {
    if (places.size > most) return;
    for (const cid of outputs) if (!places.has(cid)) places.set(cid, index + 1);
    for (const cid of inputs) if (!places.has(cid)) places.set(cid, index + 1);
  });
  return places;
}

/** The root has position 1 even without actions. */
export const lastPlace = (acts: readonly ActionKey[]) => Math.max(1, acts.length);

/** The position of an attribution is that of its action, or else of its content. */
async function placeAttributions(
  { attributions, places }: WholeHistory,
  acts: readonly ActionKey[],
): Promise<Placed[]> {
  const actionPlaces = new Map(acts.map(({ id }, index) => [id, index + 1]));
  const placed = attributions.flatMap((key) => {
    const named = key.actionId === null ? undefined : actionPlaces.get(key.actionId);
    const place = named ?? (key.cid === null ? undefined : places.get(key.cid));
    return place === undefined || place > lastPlace(acts) ? [] : [{ key, place }];
  });
  return sortYielding(placed, (a, b) => a.place - b.place || (a.key.id < b.key.id ? -1 : 1));
}

/** Returns 1 if position 1 already exceeds the limit. */
function lastFitting(sums: readonly number[], maxBytes: number): number {
  let total = 0;
  let last = 1;
  for (let place = 1; place < sums.length - 1; place++) {
    total += sums[place] ?? 0;
    if (total > maxBytes) break;
    last = place;
  }
  return last;
}
