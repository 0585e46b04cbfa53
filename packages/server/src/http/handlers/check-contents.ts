import { contentIdSchema, isContentId } from '@colophon/model';
import type { FastifyRequest } from 'fastify';
import { type Detail, invalidBody } from '../../body-fault.js';
import { ServiceError } from '../../errors.js';
import { countNames, LISTS, listOf } from '../../records/write/batch-kind.js';

/** Up to this number of identifiers, the schema alone checks a batch or bundle, and reports each invalid identifier. */
const FEW = 500;
const MAX_FAULTS = 16;

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

/**
 * Checks the content identifiers of a batch or bundle that has more than 500 of them. Throws at the 16th invalid
 * identifier. When fewer are invalid, the schema reports them later. The schema alone would report every invalid
 * identifier, which takes seconds for 100,000 identifiers. `at` is the path of the lists in the body.
 */
export function assertNames(lists: unknown, at = ''): void {
  const actions = listOf(Object(lists).actions);
  const attributions = listOf(Object(lists).attributions);
  if (countNames(actions) + attributions.length <= FEW) return;
  const faults: Detail[] = [];
  const check = (name: unknown, toPath: () => string) => {
    if (typeof name === 'string' && isContentId(name)) return;
    const message = contentIdSchema.safeParse(name).error?.issues[0]?.message ?? '';
    faults.push({ path: at + toPath(), message });
    if (faults.length === MAX_FAULTS) throw refuse(faults);
  };
  for (const [index, action] of actions.entries())
    for (const list of LISTS)
      for (const [place, name] of listOf(Object(action)[list]).entries())
        check(name, () => `actions.${index}.${list}.${place}`);
  for (const [index, attribution] of attributions.entries()) {
    const name = Object(attribution).resourceCid;
    if (name !== undefined) check(name, () => `attributions.${index}.resourceCid`);
  }
}

function refuse(faults: readonly Detail[]): ServiceError {
  const message = `The check stopped after ${faults.length} invalid content identifiers. The others are not checked.`;
  return invalidBody([...faults, { path: '', message, truncated: true }], {
    recovery: 'Correct the identifiers in details, check the others, and send the request again.',
  });
}
