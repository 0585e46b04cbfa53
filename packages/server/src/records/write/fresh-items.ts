import type { Action, JsonObject } from '@colophon/model';
import type { RecordItem } from '../draft/record-item.js';
import type { Outcome, WrittenResource } from './outcome.js';

/** Each value that items name, with the places from 1 of those that name it. */
type PositionsByName = Record<string, number[]>;

/** What fresh items rely on, by kind: see `provenance.unexpected_places()`. */
export interface Expected {
  /** Places of items that need a decision, whatever is stored. */
  apart: number[];
  entities?: PositionsByName;
  brought?: { place: number; id: string; given: JsonObject }[];
  names?: PositionsByName;
  outputs?: PositionsByName;
  uploads?: PositionsByName;
  aliases?: PositionsByName;
  inputs?: PositionsByName;
  ids?: PositionsByName;
  scopes?: PositionsByName;
  signatures?: PositionsByName;
}

/** An item that brings an action with one attribution, and at most the upload of the action's one output. */
type FreshCandidate = RecordItem & { action: NonNullable<RecordItem['action']> };

/**
 * What the items rely on so that they can be written together without a decision. Items that bring something else, or
 * that touch what an earlier one makes, are named `apart`.
 */
export function expectFresh(items: readonly RecordItem[]): Expected {
  const expected: Expected = { apart: [] };
  const made = createMade();
  for (const [index, item] of items.entries()) {
    const place = index + 1;
    if (isCandidate(item) && made.take(item)) note(expected, item, place);
    else expected.apart.push(place);
  }
  return expected;
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
/** Parts that only an upload brings along. */
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

/** What the fresh items so far make and use up, within one batch. */
function createMade() {
  const outputs = new Set<string>();
  const aliases = new Set<string>();
  const inputs = new Set<string>();
  const onceOnly = new Set<string>();

  return {
    /** Notes what the item makes; false, and notes nothing, when it touches what an earlier one made. */
    take({ action, upload, attributions, idempotency, inputsMustBeKnown }: FreshCandidate): boolean {
      const used = inputsOf(action);
      const ours = [...outputsOf(action), ...(upload?.aliases ?? [])];
      const named = [
        ...used,
        ...ours,
        ...(attributions ?? []).flatMap(({ body }) => textOf(body.resourceCid)),
      ];
      const claims = claimsOf(action, idempotency);
      const touches =
        named.some((name) => aliases.has(name)) ||
        ours.some((name) => outputs.has(name)) ||
        (upload?.aliases ?? []).some((name) => inputs.has(name) || used.includes(name)) ||
        (used.length > 0 && ours.some((name) => inputs.has(name) || used.includes(name))) ||
        // Another item may yet be refused, and would not make it.
        (inputsMustBeKnown === true && used.some((name) => outputs.has(name))) ||
        claims.some((claim) => onceOnly.has(claim));
      if (touches) return false;
      for (const name of outputsOf(action)) outputs.add(name);
      for (const name of upload?.aliases ?? []) aliases.add(name);
      for (const name of used) inputs.add(name);
      for (const claim of claims) onceOnly.add(claim);
      return true;
    },
  };
}

/** What is good for one item alone. An id that the service has just made cannot have been used. */
function claimsOf(action: FreshCandidate['action'], idempotency: RecordItem['idempotency']): string[] {
  return [
    ...(action.idIsGiven ? [`id ${action.id}`] : []),
    ...signaturesOf(action).map((signature) => `signature ${signature}`),
    ...(idempotency === undefined ? [] : [`scope ${idempotency.scope}`]),
  ];
}

function note(
  expected: Expected,
  { action, upload, attributions = [], entities = [], idempotency, inputsMustBeKnown }: FreshCandidate,
  place: number,
): void {
  const add = (kind: Exclude<keyof Expected, 'apart' | 'brought'>, values: readonly string[]) => {
    if (values.length === 0) return;
    expected[kind] ??= Object.create(null) as PositionsByName;
    const named = expected[kind];
    for (const value of values) {
      named[value] ??= [];
      named[value].push(place);
    }
  };
  const inputs = inputsOf(action);
  const outputs = outputsOf(action);
  add('entities', textOf(action.body.performedBy));
  add('names', [...inputs, ...outputs]);
  if (inputs.length > 0) add('outputs', outputs);
  if (inputsMustBeKnown) add('inputs', inputs);
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
  for (const { id, given } of entities) {
    expected.brought ??= [];
    expected.brought.push({ place, id, given });
  }
}

/** The outcome of a fresh item that was recorded at `atUs`, in microseconds since 1970. */
export function toFreshOutcome(
  { action, upload, matches, matchesComplete }: RecordItem,
  atUs: number,
): Outcome {
  if (action === undefined) throw new Error('An item without an action was recorded as fresh');
  const recordedAt = new Date(Math.floor(atUs / 1000)).toISOString();
  // The body is an action as it was digested.
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
const isDistinct = (values: readonly string[]) => new Set(values).size === values.length;
const textOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);

/** Signatures that are good for one action alone. */
function signaturesOf({ body, proofMayRepeat }: FreshCandidate['action']): string[] {
  if (proofMayRepeat) return [];
  const { proof } = body;
  return typeof proof === 'object' && proof !== null && 'signature' in proof ? textOf(proof.signature) : [];
}
