import { ServiceError } from '../../errors.js';
import type { BatchFault } from './prove-batch.js';

/** Maximum number of rejected records in an error. */
export const MAX_DETAILS = 50;

/** The code and message are those of the first rejected record. `stopped`: the message that the check stopped early. */
export function refuseBatch(
  [first, ...others]: readonly [BatchFault, ...BatchFault[]],
  stopped?: string,
): ServiceError {
  const { code, message, recovery, headers, cause } = first.error;
  const details = [first, ...others].slice(0, MAX_DETAILS).map(({ place, error }) => ({
    path: place,
    message: error.message,
    code: error.code,
    ...(error.details === undefined ? {} : { details: error.details }),
  }));
  const more = 1 + others.length - details.length;
  return new ServiceError(code, `Nothing was recorded. The problem is in ${first.place}: ${message}`, {
    recovery,
    headers,
    cause,
    details: [
      ...details,
      ...(more === 0 ? [] : [{ path: '', message: `and ${more} more records` }]),
      ...(stopped === undefined ? [] : [{ path: '', message: stopped, truncated: true }]),
    ],
  });
}

export function stoppedAfterSignatures(faults: number): string {
  return (
    `The check stopped after ${faults} wrong signatures (MAX_PROOF_FAULTS): others may be wrong too. ` +
    'Correct the signatures in details, check how the others were signed, and send the batch again.'
  );
}

export function stoppedAfterEntities(): string {
  return (
    `The check stopped after ${MAX_DETAILS} entities that need an \`id\`. Other entities may need one too. ` +
    'Add the ids, and send the batch again.'
  );
}
