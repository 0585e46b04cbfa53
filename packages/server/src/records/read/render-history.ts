import { mapYielding } from '../../platform/work/map-yielding.js';
import { sortYielding } from '../../platform/work/sort-yielding.js';
import { MAX_ANSWER_BYTES, MAX_ANSWER_ITEMS } from './answer-size.js';
import { type HistorySource, inParts } from './history-source.js';
import {
  type ActionKey,
  type AttributionKey,
  type NamedKey,
  type Rendered,
  readAliases,
  readEntityKeys,
  readResourceKeys,
  renderRecords,
} from './long-histories.sql.js';
import { readAttributions } from './read-attributions.js';
import type { RecordLeaf } from './record-text.sql.js';
import {
  lastPlace,
  placeContent,
  RESOURCE_BYTES,
  truncateHistory,
  type WholeHistory,
} from './truncate-history.js';

export interface HistoryTexts {
  /** The canonical CID; undefined for a session. */
  root: string | undefined;
  counts: Record<Rendered, number>;
  /** UTF-8 parts, with `, ` between items. Buffers, because the JavaScript heap frees large strings late. */
  texts: Record<Rendered, Buffer[]>;
  /** If requested: of entities, then actions, then attributions, each in log order. */
  leaves: RecordLeaf[];
  aliases: ReadonlyMap<string, string>;
  isComplete: boolean;
}

export interface FoundHistory {
  root: string | undefined;
  actions: ActionKey[];
  /** Whether there are more actions than these. */
  isMore: boolean;
  /** The requested alias and the root; empty without an alias. */
  asked: readonly (readonly [string, string])[];
  /** When set, the result contains the leaves, and has at most this number of records and contents. */
  maxLeaved?: number | undefined;
}

/** Truncates the history to the size of a response. */
export async function renderHistory(
  source: HistorySource,
  { root, actions, isMore, asked, maxLeaved }: FoundHistory,
): Promise<HistoryTexts> {
  const maxItems = maxLeaved ?? source.maxItems ?? MAX_ANSWER_ITEMS;
  const { hasAll, ...whole } = await readAround({ ...source, maxItems }, { root, actions });
  const kept = await truncateHistory(whole, {
    maxBytes: source.maxBytes ?? MAX_ANSWER_BYTES,
    maxItems: hasAll ? maxLeaved : maxItems,
  });
  const ids = new Set([
    ...kept.actions.map(({ performedBy }) => performedBy),
    ...kept.attributions.map(({ entityId }) => entityId),
  ]);
  const keys: Record<Rendered, NamedKey[]> = {
    actions: kept.actions,
    attributions: kept.attributions,
    entities: [...ids].flatMap((id) => whole.entities.get(id) ?? []),
    resources: shownResources(whole, kept.actions),
  };
  const texts: HistoryTexts['texts'] = { actions: [], attributions: [], entities: [], resources: [] };
  const leaves: RecordLeaf[] = [];
  for (const kind of ['entities', 'actions', 'attributions', 'resources'] as const) {
    const parts = await renderList(source, { kind, isLeaved: maxLeaved !== undefined }, keys[kind]);
    texts[kind] = parts.map(({ text }) => text);
    leaves.push(...parts.flatMap((part) => part.leaves).sort((a, b) => a.leafIndex - b.leafIndex));
  }
  return {
    root,
    counts: {
      actions: keys.actions.length,
      entities: keys.entities.length,
      resources: keys.resources.length,
      attributions: keys.attributions.length,
    },
    texts,
    leaves,
    aliases: new Map([...(await readUsedAliases(source, kept)), ...asked]),
    isComplete:
      !isMore &&
      hasAll &&
      kept.actions.length === actions.length &&
      kept.attributions.length === whole.attributions.length,
  };
}

/** `hasAll`: false when the attributions exceed the limits of a response. */
async function readAround(
  source: HistorySource & { maxItems: number },
  { root, actions }: { root: string | undefined; actions: ActionKey[] },
): Promise<WholeHistory & { hasAll: boolean }> {
  const { maxBytes = MAX_ANSWER_BYTES, maxItems } = source;
  const most = { bytes: maxBytes, items: maxItems };
  const ofActions = await readAttributions(source, { by: 'action', ids: actions.map(({ id }) => id), most });
  // Looks up no more content than fits into a response.
  const places = await placeContent(actions, root, maxBytes / RESOURCE_BYTES);
  const cids = [...places.keys()];
  const known = new Set(ofActions.attributions.map(({ id }) => id));
  const ofContent = await readAttributions(source, { by: 'content', ids: cids, most, known });
  const attributions = [...ofActions.attributions, ...ofContent.attributions];
  const resources = new Map<string, NamedKey>();
  for (const part of inParts(source, cids))
    for (const key of await readResourceKeys(source.db, source.projectId, part)) resources.set(key.id, key);
  const named = new Set(actions.map(({ performedBy }) => performedBy));
  for (const { entityId } of attributions) named.add(entityId);
  const entities = new Map<string, NamedKey>();
  for (const part of inParts(source, [...named]))
    for (const key of await readEntityKeys(source.db, source.projectId, part)) entities.set(key.id, key);
  const hasAll = ofActions.hasAll && ofContent.hasAll;
  return { actions, attributions, entities, resources, places, hasAll };
}

/** `actions`: the first actions of the history. */
function shownResources(
  { places, resources }: Pick<WholeHistory, 'places' | 'resources'>,
  actions: readonly ActionKey[],
): NamedKey[] {
  const shown: NamedKey[] = [];
  for (const [cid, place] of places) {
    if (place > lastPlace(actions)) break;
    const resource = resources.get(cid);
    if (resource !== undefined) shown.push(resource);
  }
  return shown;
}

/** Oldest first. */
async function renderList(
  source: HistorySource,
  how: { kind: Rendered; isLeaved: boolean },
  keys: readonly NamedKey[],
): Promise<{ text: Buffer; leaves: RecordLeaf[] }[]> {
  const named = await mapYielding(keys, ({ id, at, bytes }) => ({ id, at, bytes, name: Buffer.from(id) }));
  const sorted = await sortYielding(named, (a, b) => a.at - b.at || Buffer.compare(a.name, b.name));
  const parts: { text: Buffer; leaves: RecordLeaf[] }[] = [];
  for (const part of inParts(source, sorted, ({ bytes }) => bytes)) {
    const ids = part.map(({ id }) => id);
    const { text, leaves } = await renderRecords(source.db, source.projectId, { ...how, ids });
    parts.push({ text: Buffer.from(text), leaves });
  }
  return parts;
}

async function readUsedAliases(
  source: HistorySource,
  kept: { actions: ActionKey[]; attributions: AttributionKey[] },
): Promise<[string, string][]> {
  const found: [string, string][] = [];
  const look = async (actions: string[], attributions: string[]) => {
    const rows = await readAliases(source.db, source.projectId, { actions, attributions });
    for (const { alias, cid } of rows) found.push([alias, cid]);
  };
  for (const part of inParts(source, kept.actions, ({ bytes }) => bytes))
    await look(
      part.map(({ id }) => id),
      [],
    );
  for (const part of inParts(
    source,
    kept.attributions.map(({ id }) => id),
  ))
    await look([], part);
  return found;
}
