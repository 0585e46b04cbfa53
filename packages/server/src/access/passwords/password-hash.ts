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

/** Needs 32 MiB. In the OWASP Password Storage Cheat Sheet, this cost is equivalent to N=2^17, p=1. */
export const PASSWORD_COST: PasswordCost = { costLog2: 15, blockSize: 8, parallelism: 3 };
