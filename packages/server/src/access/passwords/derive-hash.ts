import { scryptSync } from 'node:crypto';
import type { PasswordCost } from './password-hash.js';

export interface ScryptTask extends PasswordCost {
  password: string;
  salt: Uint8Array;
}

const DERIVED_BYTES = 32;

/** The asynchronous `scrypt` of Node would use a thread of the pool that also reads files. */
export function deriveHash({ password, salt, costLog2, blockSize, parallelism }: ScryptTask): Uint8Array {
  const N = 2 ** costLog2;
  const maxmem = 256 * N * blockSize;
  return scryptSync(password, salt, DERIVED_BYTES, { N, r: blockSize, p: parallelism, maxmem });
}
