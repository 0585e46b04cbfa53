import type { StoredSoftBinding } from '@colophon/model';

/** The payloads of an algorithm for watermarks. `toBinding` converts a payload to a soft binding. */
export interface MarkFormat {
  payloadBits: number;
  toBinding(payload: bigint): StoredSoftBinding;
}

/** Whether two soft bindings are equal. */
export function isSameBinding(one: StoredSoftBinding, other: StoredSoftBinding): boolean {
  return one.alg === other.alg && one.value === other.value;
}
