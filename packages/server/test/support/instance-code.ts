import { createInstanceHasher, encodeIsccUnit } from '@colophon/model';

/** ISO 24138. */
export function toInstanceCode(bytes: Uint8Array): string {
  const hasher = createInstanceHasher();
  hasher.update(bytes);
  return encodeIsccUnit(hasher.finish());
}
