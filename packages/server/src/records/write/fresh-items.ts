import type { Action, JsonObject } from '@colophon/model';
import type { Draft } from '../draft/draft-records.js';
import type { RecordItem } from '../draft/record-item.js';
import type { Outcome, WrittenResource } from './outcome.js';

/** Maps a value, such as a CID, to the positions (from 1) of the items that contain it. */
type PositionsByName = Record<string, number[]>;

/**
 * Conditions under which items are fresh: the database can write them without checking each one separately. The SQL
 * function `provenance.items_needing_serial_write()` documents each field.
 */
export interface Expected {
  /** Positions of items that always need a separate check. */
  apart: number[];
  /** Maximum number of links that one walk of the search for cycles follows; 10,000 by default. */
  longestWalk?: number;
  /** Maximum number of actions that are written one by one; no limit by default. */
  maxSerialActions?: number;
  entities?: PositionsByName;
  newEntities?: PositionsByName;
  brought?: { place: number; id: string; given: JsonObject }[];
  names?: PositionsByName;
  attributed?: PositionsByName;
  outputs?: PositionsByName;
  uploads?: PositionsByName;
  aliases?: PositionsByName;
  inputs?: PositionsByName;
  actions?: PositionsByName;
  chained?: { place: number; maker: number }[];
  ids?: PositionsByName;
  scopes?: PositionsByName;
  signatures?: PositionsByName;
}

/** An item with an action and one attribution, and perhaps the upload of the action's only output. */
type FreshCandidate = RecordItem & { action: NonNullable<RecordItem['action']> };

/** PostgreSQL writes all fresh items first, so an item that depends on an earlier fresh item belongs to `apart`. */
export function expectFresh(items: readonly RecordItem[]): Expected {
  const expected: Expected = { apart: [] };
  const used = createUsedNames();
  for (const [index, item] of items.entries()) {
    const isFresh = isCandidate(item) && !used.areTouchedBy(item) && !isChained(used, item);
    if (isFresh) {
      expect(expected, item, index + 1);
      expectInputs(expected, used, { item, place: index + 1 });
      used.add(item, index + 1);
    } else expected.apart.push(index + 1);
  }
  return expected;
}

/** PostgreSQL writes the items in their order, so an item may refer to earlier items. */
export function expectFreshInOrder(items: readonly RecordItem[]): Expected {
  const expected: Expected = { apart: [] };
  const used = createUsedNames();
  for (const [index, item] of items.entries()) {
    const place = index + 1;
    const entityId = readNewEntity(item);
    const isNamed = [expected.newEntities, expected.entities].some(
      (named) => named?.[entityId ?? ''] !== undefined,
    );
    if (entityId !== undefined && !isNamed) {
      addPositions(expected, 'newEntities', { values: [entityId], place });
      continue;
    }
    const attribution = readAttribution(item);
    if (attribution !== undefined) {
      expectAttribution(expected, used, { attribution, place });
      continue;
    }
    const isFresh = isCandidate(item) && item.upload === undefined && !used.areTouchedBy(item);
    if (isFresh) {
      expect(expected, item, place);
      expectInputs(expected, used, { item, place });
    } else expected.apart.push(place);
    if (item.action === undefined) continue;
    // Two items can name the same content by different identifiers, which `used` compares as text. So `names` also gets
    // the identifiers of items that need a separate check.
    if (!isFresh) addPositions(expected, 'names', { values: namesOf(item.action), place });
    used.add({ ...item, action: item.action }, place);
  }
  return expected;
}

/** Returns undefined unless the item contains nothing but one entity, and this entity has a role. */
function readNewEntity({ entities = [], ...others }: RecordItem): string | undefined {
  const [entity] = entities;
  const isAlone = entities.length === 1 && Object.keys(others).length === 0;
  return isAlone && entity !== undefined && 'role' in entity.body ? entity.id : undefined;
}

/** Returns undefined unless the item contains nothing but one attribution. */
function readAttribution({ attributions = [], ...others }: RecordItem): Draft | undefined {
  return attributions.length === 1 && Object.keys(others).length === 0 ? attributions[0] : undefined;
}

/** A repeated attribution belongs to `apart`, because PostgreSQL must write the earlier one first. */
function expectAttribution(
  expected: Expected,
  used: UsedNames,
  { attribution, place }: { attribution: Draft; place: number },
): void {
  const { entityId, actionId, resourceCid, role } = attribution.body;
  addPositions(expected, 'attributed', { values: textOf(resourceCid), place });
  if (used.isRepeated([entityId, actionId, resourceCid, role])) {
    expected.apart.push(place);
    return;
  }
  addPositions(expected, 'entities', { values: textOf(entityId), place });
  const targets = [
    { kind: 'actions', values: textOf(actionId), maker: used.placeOfAction(actionId) },
    { kind: 'inputs', values: textOf(resourceCid), maker: used.placeOfContent(resourceCid) },
  ] as const;
  for (const { kind, values, maker } of targets) {
    if (maker === undefined) addPositions(expected, kind, { values, place });
    else expectMaker(expected, { place, maker });
  }
}

/** An input that an earlier item produced belongs to `chained` instead. */
function expectInputs(
  expected: Expected,
  used: UsedNames,
  { item: { action, inputsMustBeKnown }, place }: { item: FreshCandidate; place: number },
): void {
  if (!inputsMustBeKnown) return;
  for (const cid of inputsOf(action)) {
    const maker = used.makerOf(cid);
    if (maker === undefined) addPositions(expected, 'inputs', { values: [cid], place });
    else expectMaker(expected, { place, maker });
  }
}

function expectMaker(expected: Expected, link: { place: number; maker: number }): void {
  expected.chained ??= [];
  expected.chained.push(link);
}

const PARTS = new Set([
  'entities',
  'action',
  'upload',
  'attributions',
  'inputsMustBeKnown',
  'idempotency',
  'descriptor',
  'matches',
  'matchesComplete',
  'softBindings',
  'jobs',
]);
/** Members that an item may have only together with an upload. */
const OF_UPLOADS = ['entities', 'descriptor', 'matches', 'matchesComplete', 'softBindings', 'jobs'] as const;

function isCandidate(item: RecordItem): item is FreshCandidate {
  const { action, upload, attributions, entities = [] } = item;
  if (action === undefined || attributions?.length !== 1) return false;
  if (Object.keys(item).some((part) => !PARTS.has(part))) return false;
  if (!isDistinct(inputsOf(action)) || !isDistinct(outputsOf(action))) return false;
  if (upload === undefined) return OF_UPLOADS.every((part) => item[part] === undefined);
  const [onlyOutput, ...more] = outputsOf(action);
  return (
    upload.mayExist === undefined &&
    onlyOutput === upload.cid &&
    more.length === 0 &&
    !upload.aliases.includes(upload.cid) &&
    entities.every(({ given }) => given.extensions === undefined)
  );
}

type UsedNames = ReturnType<typeof createUsedNames>;

function createUsedNames() {
  const outputs = new Map<unknown, number>();
  const uploads = new Set<string>();
  const aliases = new Set<string>();
  const inputs = new Map<unknown, number>();
  const actions = new Map<unknown, number>();
  const claims = new Set<string>();
  const attributions = new Set<string>();

  return {
    add({ action, upload, idempotency }: FreshCandidate, place: number): void {
      setFirst(actions, action.id, place);
      for (const cid of outputsOf(action)) setFirst(outputs, cid, place);
      if (upload !== undefined) uploads.add(upload.cid);
      for (const alias of upload?.aliases ?? []) aliases.add(alias);
      for (const cid of inputsOf(action)) setFirst(inputs, cid, place);
      for (const claim of claimsOf(action, idempotency)) claims.add(claim);
    },
    makerOf: (cid: string): number | undefined => outputs.get(cid),
    placeOfAction: (id: unknown): number | undefined => actions.get(id),
    placeOfContent: (cid: unknown): number | undefined => outputs.get(cid) ?? inputs.get(cid),
    isRepeated(attribution: readonly unknown[]): boolean {
      const key = JSON.stringify(attribution);
      const isRepeated = attributions.has(key);
      attributions.add(key);
      return isRepeated;
    },
    /** Items may share an output that none of them uploads: `write_fresh()` merges their states in order. */
    areTouchedBy({ action, upload, attributions, idempotency }: FreshCandidate): boolean {
      const consumed = new Set(inputsOf(action));
      const uploadAliases = upload?.aliases ?? [];
      const produced = [...outputsOf(action), ...uploadAliases];
      const attributed = (attributions ?? []).flatMap(({ body }) => textOf(body.resourceCid));
      const isInput = (name: string) => inputs.has(name) || consumed.has(name);
      return (
        [...consumed, ...produced, ...attributed].some((name) => aliases.has(name)) ||
        produced.some((name) => uploads.has(name) || (upload !== undefined && outputs.has(name))) ||
        uploadAliases.some(isInput) ||
        (consumed.size > 0 && produced.some(isInput)) ||
        claimsOf(action, idempotency).some((claim) => claims.has(claim))
      );
    },
  };
}

function setFirst(places: Map<unknown, number>, name: string, place: number): void {
  if (!places.has(name)) places.set(name, place);
}

/** Whether an input that must be known is the output of an earlier item, which can still be rejected. */
function isChained(used: UsedNames, { action, inputsMustBeKnown }: FreshCandidate): boolean {
  return inputsMustBeKnown === true && inputsOf(action).some((cid) => used.makerOf(cid) !== undefined);
}

/** An id that the service generated is always unique. */
function claimsOf(action: FreshCandidate['action'], idempotency: RecordItem['idempotency']): string[] {
  return [
    ...(action.idIsGiven ? [`id ${action.id}`] : []),
    ...signaturesOf(action).map((signature) => `signature ${signature}`),
    ...(idempotency === undefined ? [] : [`scope ${idempotency.scope}`]),
  ];
}

function expect(expected: Expected, item: FreshCandidate, place: number): void {
  const { action, upload, attributions = [], entities = [], idempotency } = item;
  const add = (kind: PositionKind, values: readonly string[]) =>
    addPositions(expected, kind, { values, place });
  add('entities', textOf(action.body.performedBy));
  add('names', namesOf(action));
  if (inputsOf(action).length > 0) add('outputs', outputsOf(action));
  if (action.idIsGiven) add('ids', [action.id]);
  add('signatures', signaturesOf(action));
  if (idempotency !== undefined) add('scopes', [idempotency.scope]);
  for (const { body } of attributions) {
    add('entities', textOf(body.entityId));
    add('names', textOf(body.resourceCid));
  }
  if (upload === undefined) return;
  add('names', upload.aliases);
  add('uploads', [upload.cid, ...upload.aliases]);
  add('aliases', upload.aliases);
  const brought = entities.map(({ id, given }) => ({ place, id, given }));
  if (brought.length > 0) expected.brought = [...(expected.brought ?? []), ...brought];
}

type PositionKind = Exclude<
  keyof Expected,
  'apart' | 'longestWalk' | 'maxSerialActions' | 'brought' | 'chained'
>;

function addPositions(
  expected: Expected,
  kind: PositionKind,
  { values, place }: { values: readonly string[]; place: number },
): void {
  if (values.length === 0) return;
  expected[kind] ??= Object.create(null) as PositionsByName;
  const positions = expected[kind];
  for (const value of values) {
    positions[value] ??= [];
    positions[value].push(place);
  }
}

/** `atUs`: the time of the recording, in microseconds since 1970. */
export function toFreshOutcome(
  { action, upload, matches, matchesComplete }: RecordItem,
  atUs: number,
): Outcome {
  if (action === undefined) throw new Error('An item without an action was recorded as fresh');
  const recordedAt = new Date(Math.floor(atUs / 1000)).toISOString();
  const shown = { ...action.body, recordedAt, digest: `sha256:${action.digest}` } as Action;
  return {
    outcome: 'recorded',
    entities: [],
    attributions: [],
    action: shown,
    resources: upload === undefined ? [] : [toResource(action, upload)],
    ...(matches === undefined ? {} : { matches }),
    ...(matchesComplete === undefined ? {} : { matchesComplete }),
  };
}

function toResource(
  { body, statesNothing }: FreshCandidate['action'],
  { cid, type, mimeType, sizeBytes: size }: NonNullable<RecordItem['upload']>,
): WrittenResource {
  const state = statesNothing ? null : stateOf(body.type);
  return { cid, type, mimeType, size, state };
}

function stateOf(type: unknown): WrittenResource['state'] {
  if (type === 'create') return 'claimed';
  return type === 'reference' ? 'referenced' : null;
}

const inputsOf = ({ body }: FreshCandidate['action']) => body.inputCids as string[];
const outputsOf = ({ body }: FreshCandidate['action']) => body.outputCids as string[];
const namesOf = (action: FreshCandidate['action']) => [...inputsOf(action), ...outputsOf(action)];
const isDistinct = (values: readonly string[]) => new Set(values).size === values.length;
const textOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);

/** Returns the proof's signature if no other action may have it. */
function signaturesOf({ body, proofMayRepeat }: FreshCandidate['action']): string[] {
  if (proofMayRepeat) return [];
  const { proof } = body;
  return typeof proof === 'object' && proof !== null && 'signature' in proof ? textOf(proof.signature) : [];
}
