import { contentIdSchema, isContentId } from '@colophon/model';
import type { FastifyRequest } from 'fastify';
import { type Detail, invalidBody } from '../../body-fault.js';
import { ServiceError } from '../../errors.js';
import { mapYielding } from '../../platform/work/map-yielding.js';
import { assertFewRecords, countNames, LISTS, listOf } from '../../records/write/batch-kind.js';

/** Up to this number of identifiers, the schema alone checks a batch or bundle. */
const FEW = 500;
const MAX_FAULTS = 16;

/** Throws `PayloadTooLarge` when a batch has more than `most` records. No schema has checked the body yet. */
export function assertFewSent(body: unknown, most: number): void {
  const { entities, actions, attributions } = Object(body);
  const lists = { entities: listOf(entities), actions: listOf(actions), attributions: listOf(attributions) };
  assertFewRecords(lists, { most, subject: 'The batch', recovery: 'Send several smaller batches' });
}

interface FewContentsOptions {
  /** The object with the list `actions`. By default, the body. */
  lists?: unknown;
  recovery?: string;
}

/** Throws `PayloadTooLarge` when the actions of a batch or bundle name more than `most` contents. */
export function assertFewContents(
  request: FastifyRequest,
  most: number,
  { lists = request.body, recovery = 'Send fewer actions in one request' }: FewContentsOptions = {},
): void {
  const count = countNames(listOf(Object(lists).actions));
  if (count <= most) return;
  request.metBound = 'MAX_BATCH_CONTENTS';
  throw new ServiceError(
    'PayloadTooLarge',
    `The actions of the request contain ${count} content identifiers; at most ${most} are allowed (MAX_BATCH_CONTENTS).`,
    { recovery: `${recovery}, or ask the operator to raise MAX_BATCH_CONTENTS.` },
  );
}

/** Number of identifiers that are checked without a pause. Some take 20 microseconds each, such as base10 CIDs. */
const NAMES_PER_STEP = 64;

/** `toPath` returns the path of the identifier at a position. */
interface NamesPart {
  from: number;
  names: readonly unknown[];
  toPath(place: number): string;
}

/**
 * Checks many content identifiers in steps, between which other requests run. Throws at the 16th invalid identifier,
 * because a report of 100,000 invalid ones takes seconds. The schema reports fewer ones later.
 */
export async function assertNames(
  lists: unknown,
  { at = '', signal }: { at?: string; signal: AbortSignal },
): Promise<void> {
  const actions = listOf(Object(lists).actions);
  const attributions = listOf(Object(lists).attributions);
  if (countNames(actions) + attributions.length <= FEW) return;
  const faults: Detail[] = [];
  const check = ({ from, names, toPath }: NamesPart) => {
    for (const [place, name] of names.entries()) {
      if (typeof name === 'string' && isContentId(name)) continue;
      const message = contentIdSchema.safeParse(name).error?.issues[0]?.message ?? '';
      faults.push({ path: at + toPath(from + place), message });
      if (faults.length === MAX_FAULTS) throw refuse(faults);
    }
  };
  const parts = actions.flatMap((action, index) =>
    LISTS.flatMap((list) =>
      divide(listOf(Object(action)[list]), (place) => `actions.${index}.${list}.${place}`),
    ),
  );
  await mapYielding([...parts, ...partsOfAttributions(attributions)], check, signal);
}

function partsOfAttributions(attributions: readonly unknown[]): NamesPart[] {
  return attributions.flatMap((attribution, index) => {
    const name = Object(attribution).resourceCid;
    return name === undefined ? [] : divide([name], () => `attributions.${index}.resourceCid`);
  });
}

function divide(names: readonly unknown[], toPath: NamesPart['toPath']): NamesPart[] {
  return Array.from({ length: Math.ceil(names.length / NAMES_PER_STEP) }, (_, step) => {
    const from = step * NAMES_PER_STEP;
    return { from, names: names.slice(from, from + NAMES_PER_STEP), toPath };
  });
}

function refuse(faults: readonly Detail[]): ServiceError {
  const message = `The check stopped after ${faults.length} invalid content identifiers. The others are not checked.`;
  return invalidBody([...faults, { path: '', message, truncated: true }], {
    recovery: 'Correct the identifiers in details, check the others, and send the request again.',
  });
}
