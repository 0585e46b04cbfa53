import { ServiceError } from '../../errors.js';
import type { BatchFault } from './prove-batch.js';

const MAX_DETAILS = 50;

/**
 * The error of a batch of which records are refused: that of the first, and in the details all of them, each with its
 * path. Those that name a refused one may be refused for that alone. `uncheckedAfter`: the number of wrong signatures
 * after which no more were checked.
 */
export function refuseBatch(
  [first, ...others]: readonly [BatchFault, ...BatchFault[]],
  uncheckedAfter?: number,
): ServiceError {
  const { code, message, recovery, headers, cause } = first.error;
  const details = [first, ...others].slice(0, MAX_DETAILS).map(({ place, error }) => ({
    path: place,
    message: error.message,
    code: error.code,
    ...(error.details === undefined ? {} : { details: error.details }),
  }));
  const more = 1 + others.length - details.length;
  return new ServiceError(code, `Nothing was recorded, because of ${first.place}: ${message}`, {
    recovery,
    headers,
    cause,
    details: [
      ...details,
      ...(more === 0 ? [] : [{ path: '', message: `and ${more} more records` }]),
      ...(uncheckedAfter === undefined ? [] : [toTruncated(uncheckedAfter)]),
    ],
  });
}

function toTruncated(faults: number) {
  const message =
    `After ${faults} wrong signatures (MAX_PROOF_FAULTS) no more were checked: others may be wrong too. ` +
    'Correct the named ones, check how the others were signed, and send the batch again.';
  return { path: '', message, truncated: true };
}
