import type { StoredSoftBinding } from '@colophon/model';

/** The payload format of a watermark algorithm. `toBinding` converts a payload to a soft binding. */
export interface MarkFormat {
  alg: string;
  payloadBits: number;
  toBinding(payload: bigint): StoredSoftBinding;
}

export function includesBinding(read: readonly StoredSoftBinding[], wanted: StoredSoftBinding): boolean {
  return read.some(({ alg, value }) => alg === wanted.alg && value === wanted.value);
}
