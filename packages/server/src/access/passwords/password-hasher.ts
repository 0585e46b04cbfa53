import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import { createThreadClient } from '../../platform/threads/thread-client.js';
import type { ScryptTask } from './derive-hash.js';
import type { PasswordCost, PasswordHash } from './password-hash.js';

const SALT_BYTES = 16;
/** This time is long, because a thread cannot be ended during a hash. */
const SILENT_MS = 600_000;

/** Rejects with `Unavailable` when the thread of a hash ends. */
export interface PasswordHasher {
  hash(password: string, cost: PasswordCost): Promise<PasswordHash>;
  /** Without a hash, returns false after the same time, so the time does not show whether an account exists. */
  isPassword(password: string, hash: PasswordHash | undefined, cost: PasswordCost): Promise<boolean>;
  close(): Promise<void>;
}

export interface PasswordHasherOptions {
  /** Maximum number of threads. Each thread computes one hash at a time. */
  threads: number;
  /** File of another worker program, for tests. */
  workerFile?: string;
}

/** The threads have a low priority, so that many sign-ins at once delay other requests less. */
export function createPasswordHasher({
  threads,
  workerFile = createRequire(import.meta.url).resolve('#password-worker'),
}: PasswordHasherOptions): PasswordHasher {
  const client = createThreadClient<ScryptTask, Uint8Array>({
    workerFile,
    stopped: 'The thread for passwords stopped before the request was complete. Send the request again.',
    atOnce: 1,
    threads,
    silentMs: SILENT_MS,
  });

  /** Uses the NFKC form, so that the same characters from different keyboards match (NIST SP 800-63B §3.1.1.2). */
  async function derive(
    password: string,
    salt: Buffer,
    { costLog2, blockSize, parallelism }: PasswordCost,
  ): Promise<Buffer> {
    const cost = { costLog2, blockSize, parallelism };
    // Copies the salt, because a message contains all memory that the buffer shares with other buffers.
    const task = { ...cost, password: password.normalize('NFKC'), salt: new Uint8Array(salt) };
    // All hashes use one queue, because `createPasswords` already gives each client its turn.
    return Buffer.from(await client.ask('', task));
  }

  return {
    async hash(password, cost) {
      const salt = randomBytes(SALT_BYTES);
      return { ...cost, salt, derived: await derive(password, salt, cost) };
    },
    async isPassword(password, hash, cost) {
      const derived = await derive(password, hash?.salt ?? randomBytes(SALT_BYTES), hash ?? cost);
      return hash !== undefined && timingSafeEqual(derived, hash.derived);
    },
    close: client.close,
  };
}
