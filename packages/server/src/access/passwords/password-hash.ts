/** The scrypt hash of a password (RFC 7914), and its parameters. */
export interface PasswordHash {
  /** Base-2 logarithm of scrypt's N. `blockSize` is r, `parallelism` is p. */
  costLog2: number;
  blockSize: number;
  parallelism: number;
  salt: Buffer;
  derived: Buffer;
}

export type PasswordCost = Pick<PasswordHash, 'costLog2' | 'blockSize' | 'parallelism'>;

/**
 * With this cost, scrypt needs 32 MiB. The OWASP Password Storage Cheat Sheet lists these parameters as equivalent to
 * N=2^17, p=1.
 */
export const PASSWORD_COST: PasswordCost = { costLog2: 15, blockSize: 8, parallelism: 3 };
