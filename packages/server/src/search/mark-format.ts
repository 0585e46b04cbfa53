import type { StoredSoftBinding } from '@colophon/model';

/**
 * The payload format of a watermark algorithm. `alg`: name of the algorithm. `toBinding` converts a payload to a soft
 * binding.
 */
export interface MarkFormat {
  alg: string;
  payloadBits: number;
  toBinding(payload: bigint): StoredSoftBinding;
}

/** Whether the soft bindings that were read contain the wanted soft binding. */
export function includesBinding(read: readonly StoredSoftBinding[], wanted: StoredSoftBinding): boolean {
  return read.some(({ alg, value }) => alg === wanted.alg && value === wanted.value);
}
