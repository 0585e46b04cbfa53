import { createHash } from 'node:crypto';
import type { VerifySignature } from '@colophon/model';
import { ServiceError } from '../errors.js';
import { createFairLimit } from '../platform/work/limit-concurrency.js';
import { setNewest } from '../platform/work/set-newest.js';
import type { LogSigner } from './log-signer.js';
import { type CommandLine, runCommand } from './run-command.js';

/** Names with `OfOne`: the limits for one caller. */
const LIMITS = {
  atOnce: 4,
  atOnceOfOne: 3,
  waiting: 256,
  waitingOfOne: 16,
  message:
    'Too many signatures wait for LOG_SIGNER_COMMAND. At most 16 of one project and 256 in total can wait.',
};
const MAX_WAIT_MS = 10_000;
/** Limits of the signature cache. Larger texts, such as bundles, are rarely signed twice. */
const MAX_CACHED = 1_000;
const MAX_CACHED_BYTES = 4_096;
const RETRY_SECONDS = 2;

/**
 * Opens a key outside of this process, such as a key in a KMS. `<command> public-key` prints the public key as 64 hex
 * digits. `<command> sign` reads the bytes from standard input and prints the signature as 128 hex digits.
 */
export async function openCommandSigner(command: CommandLine, verify: VerifySignature): Promise<LogSigner> {
  const printed = await runCommand(command, 'public-key', { input: new Uint8Array() }).catch(
    (cause: Error) => {
      throw new Error(`LOG_SIGNER_COMMAND cannot be used: ${cause.message}`, { cause });
    },
  );
  const publicKeyHex = toHex(printed, 32);
  if (publicKeyHex === undefined)
    throw new Error('LOG_SIGNER_COMMAND with the argument public-key must print 64 hex digits');
  const publicKey = Buffer.from(publicKeyHex, 'hex');
  const limit = createFairLimit(LIMITS);
  const cached = new Map<string, Promise<Uint8Array>>();

  async function sign(bytes: Uint8Array, caller: string): Promise<Uint8Array> {
    const run = () => runCommand(command, 'sign', { input: bytes });
    const output = await limit(caller, run, AbortSignal.timeout(MAX_WAIT_MS)).catch((cause: unknown) => {
      throw toUnavailable(cause);
    });
    const signature = Buffer.from(toHex(output, 64) ?? '', 'hex');
    if (verify(publicKey, bytes, signature)) return signature;
    throw toUnavailable(new Error('LOG_SIGNER_COMMAND did not print a valid signature of 128 hex digits'));
  }

  function signBytes(bytes: Uint8Array, caller: string): Promise<Uint8Array> {
    if (bytes.length > MAX_CACHED_BYTES) return sign(bytes, caller);
    const name = createHash('sha256').update(bytes).digest('hex');
    const signature = cached.get(name) ?? sign(bytes, caller);
    setNewest(cached, name, signature, MAX_CACHED);
    signature.catch(() => cached.delete(name)); // the caller gets the rejection
    return signature;
  }
  return { publicKeyHex, signBytes };
}

/** Returns undefined if the output is not this number of bytes in hex. */
function toHex(output: string, bytes: number): string | undefined {
  const text = output.trim().toLowerCase();
  return new RegExp(`^[0-9a-f]{${bytes * 2}}$`).test(text) ? text : undefined;
}

function toUnavailable(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  return new ServiceError('Unavailable', 'The command that signs the log failed.', {
    recovery: 'Send the request again. The operator finds the reason in the log of the service.',
    headers: { 'retry-after': String(RETRY_SECONDS) },
    cause,
  });
}
