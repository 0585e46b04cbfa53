import type { ActionKey, AttributionKey, NamedKey } from './long-histories.sql.js';

/** A history, actions nearest first, with all that is shown with them. */
export interface WholeHistory {
  actions: readonly ActionKey[];
  attributions: readonly AttributionKey[];
  entities: ReadonlyMap<string, NamedKey>;
  resources: ReadonlyMap<string, NamedKey>;
  /** Content that is shown whatever the actions. */
  root: string | undefined;
}

/** About what a resource without extensions is as JSON, in bytes. */
const RESOURCE_BYTES = 500;

/**
 * The part of a history that fits into `maxBytes` of JSON: actions in the order given, each with everything that is
 * shown with it first. At least one action stays, with as many attributions as fit.
 */
export function cutHistory(
  history: WholeHistory,
  maxBytes: number,
): { actions: ActionKey[]; attributions: AttributionKey[] } {
  const { entities } = history;
  const acts = fitting(history.actions, maxBytes, ({ bytes }) => bytes);
  const places = placeContent(acts, history.root);
  const attributions = placeAttributions(history.attributions, acts, places);
  const sums = new Array<number>(acts.length + 2).fill(0);
  const add = (place: number, bytes: number) => {
    sums[place] = (sums[place] ?? 0) + bytes;
  };
  const entityPlaces = new Map<string, number>();
  const placeEntity = (id: string, place: number) => {
    entityPlaces.set(id, Math.min(place, entityPlaces.get(id) ?? place));
  };
  acts.forEach(({ bytes, performedBy }, index) => {
    add(index + 1, bytes);
    placeEntity(performedBy, index + 1);
  });
  for (const [cid, place] of places) add(place, RESOURCE_BYTES + (history.resources.get(cid)?.bytes ?? 0));
  for (const { key, place } of attributions) {
    add(place, key.bytes);
    placeEntity(key.entityId, place);
  }
  for (const [id, place] of entityPlaces) add(place, entities.get(id)?.bytes ?? 0);
  const last = lastFitting(sums, maxBytes);
  const named = new Set<string>();
  const weigh = ({ key }: Placed) => {
    const isNew = !named.has(key.entityId);
    named.add(key.entityId);
    return key.bytes + (isNew ? (entities.get(key.entityId)?.bytes ?? 0) : 0);
  };
  const near = attributions.filter(({ place }) => place <= last);
  return {
    actions: acts.slice(0, last),
    attributions: fitting(near, maxBytes, weigh, 0).map(({ key }) => key),
  };
}

interface Placed {
  key: AttributionKey;
  place: number;
}

/** The first items that weigh at most so much together, and at least `least` of them. */
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

/** Each content with the place of the first action that names it, from 1. */
function placeContent(acts: readonly ActionKey[], root: string | undefined): Map<string, number> {
  const places = new Map<string, number>(root === undefined ? [] : [[root, 1]]);
  acts.forEach(({ inputs, outputs }, index) => {
    for (const cid of [...outputs, ...inputs]) if (!places.has(cid)) places.set(cid, index + 1);
  });
  return places;
}

/** Each attribution with the place of the action that it names, else of its content; in the order of these. */
function placeAttributions(
  attributions: readonly AttributionKey[],
  acts: readonly ActionKey[],
  contentPlaces: ReadonlyMap<string, number>,
): Placed[] {
  const actionPlaces = new Map(acts.map(({ id }, index) => [id, index + 1]));
  const placed = attributions.flatMap((key) => {
    const named = key.actionId === null ? undefined : actionPlaces.get(key.actionId);
    const place = named ?? (key.cid === null ? undefined : contentPlaces.get(key.cid));
    return place === undefined ? [] : [{ key, place }];
  });
  return placed.sort((a, b) => a.place - b.place || (a.key.id < b.key.id ? -1 : 1));
}

/** The greatest place up to which the sums fit; at least 1. */
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
