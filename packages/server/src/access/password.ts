import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

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

const SALT_BYTES = 16;
const DERIVED_BYTES = 32;

export async function hashPassword(password: string, cost: PasswordCost): Promise<PasswordHash> {
  const salt = randomBytes(SALT_BYTES);
  return { ...cost, salt, derived: await derive(password, salt, cost) };
}

/**
 * Whether the password matches the hash. Without a hash, returns false after the same time, so that the time does not
 * show whether an account exists.
 */
export async function isPassword(
  password: string,
  hash: PasswordHash | undefined,
  cost: PasswordCost,
): Promise<boolean> {
  const derived = await derive(password, hash?.salt ?? randomBytes(SALT_BYTES), hash ?? cost);
  return hash !== undefined && timingSafeEqual(derived, hash.derived);
}

/** Uses the NFKC form, so that the same characters from different keyboards match (NIST SP 800-63B §3.1.1.2). */
function derive(password: string, salt: Buffer, { costLog2, ...cost }: PasswordCost): Promise<Buffer> {
  const N = 2 ** costLog2;
  const options: ScryptOptions = {
    N,
    r: cost.blockSize,
    p: cost.parallelism,
    maxmem: 256 * N * cost.blockSize,
  };
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, DERIVED_BYTES, options, (error, derived) =>
      error === null ? resolve(derived) : reject(error),
    ),
  );
}
