import { createInstanceHasher, encodeIsccUnit } from '@colophon/model';

/** Returns the Instance-Code (ISO 24138) of bytes as text. */
export function toInstanceCode(bytes: Uint8Array): string {
  const hasher = createInstanceHasher();
  hasher.update(bytes);
  return encodeIsccUnit(hasher.finish());
}
