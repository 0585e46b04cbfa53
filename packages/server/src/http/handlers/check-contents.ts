import { contentIdSchema, isContentId } from '@colophon/model';
import type { FastifyRequest } from 'fastify';
import { type Detail, invalidBody } from '../../body-fault.js';
import { ServiceError } from '../../errors.js';
import type { Scheduler } from '../../platform/work/scheduler.js';
import { countNames, LISTS, listOf, toBatchKind } from '../../records/write/batch-kind.js';
import { MANY_CONTENTS } from '../../records/write/recorder.js';
import { announcedBytes } from '../wire/announced-bytes.js';

/** Up to this number of identifiers, the schema alone checks a batch or bundle, and reports each invalid identifier. */
const FEW = 500;
const MAX_FAULTS = 16;

export function assertFewContents(request: FastifyRequest, most: number): void {
  const count = countNames(listOf(Object(request.body).actions));
  if (count <= most) return;
  request.metBound = 'MAX_BATCH_CONTENTS';
  throw new ServiceError(
    'PayloadTooLarge',
    `The actions of this batch contain ${count} content identifiers; at most ${most} are allowed (MAX_BATCH_CONTENTS).`,
    { recovery: 'Send several batches, or ask the operator to raise MAX_BATCH_CONTENTS.' },
  );
}

/**
 * Checks the content identifiers of a batch or bundle that has more than 500 of them. Throws at the 16th invalid
 * identifier. When fewer are invalid, the schema reports them later. The schema alone would report every invalid
 * identifier, which takes seconds for a hundred thousand. `at` is the path of the lists in the body.
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

/**
 * An entity or an attribution in a larger body waits in the queue of batches. On the embedded database, its statements
 * take about 0.1 s. An action does not, because its recording can wait for a slot of another kind.
 */
const LARGE_RECORD_BYTES = 16 * 1024;

/**
 * Records one record of a request. A record waits in the queue of batches or of large batches, like a batch of its
 * size, when its body has more than 16 KiB, or when it is an action with more than 200 content identifiers.
 */
export function recordInTurn<Recorded>(
  scheduler: Pick<Scheduler, 'run'>,
  {
    action,
    bytes = 0,
    ...turn
  }: { projectId: string; action?: unknown; bytes?: number; signal?: AbortSignal },
  record: () => Promise<Recorded>,
): Promise<Recorded> {
  const count = countNames([action]);
  if (count <= MANY_CONTENTS && bytes <= LARGE_RECORD_BYTES) return record();
  return scheduler.run({ ...turn, kind: toBatchKind({ records: 1, names: count, bytes }) }, record);
}

/** Returns the size of the JSON body of a request, in bytes. Measures the parsed body when the request has no length. */
export function bodyBytesOf({ headers, body }: Pick<FastifyRequest, 'headers' | 'body'>): number {
  const bytes = announcedBytes(headers);
  return Number.isFinite(bytes) ? bytes : Buffer.byteLength(JSON.stringify(body ?? null));
}
