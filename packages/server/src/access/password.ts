import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** The stored form of a password: its scrypt hash (RFC 7914) and the parameters. */
export interface PasswordHash {
  /** The base-2 logarithm of N; then r and p. */
  costLog2: number;
  blockSize: number;
  parallelism: number;
  salt: Buffer;
  derived: Buffer;
}

/** The cost of a guess: N, r and p of scrypt. */
export type PasswordCost = Pick<PasswordHash, 'costLog2' | 'blockSize' | 'parallelism'>;

/** 32 MiB and three passes: the OWASP Password Storage Cheat Sheet lists it as equal to N=2^17, p=1. */
export const PASSWORD_COST: PasswordCost = { costLog2: 15, blockSize: 8, parallelism: 3 };

const SALT_BYTES = 16;
const DERIVED_BYTES = 32;

/** Hashes a new password for storage. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<PasswordHash> {
  const salt = randomBytes(SALT_BYTES);
  return { ...cost, salt, derived: await derive(password, salt, cost) };
}

/** Whether the password matches. Without a hash it takes the same time and returns false, so timing reveals no account. */
export async function isPassword(
  password: string,
  hash: PasswordHash | undefined,
  cost: PasswordCost,
): Promise<boolean> {
  const derived = await derive(password, hash?.salt ?? randomBytes(SALT_BYTES), hash ?? cost);
  return hash !== undefined && timingSafeEqual(derived, hash.derived);
}

/** Derives from the NFKC form, so that the kind of keyboard makes no difference (NIST SP 800-63B §3.1.1.2). */
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
