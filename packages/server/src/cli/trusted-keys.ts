import { readFile } from 'node:fs/promises';
import {
  KEY_HISTORY_FAULTS,
  type LogKey,
  parseTrustedLog,
  toVerifierKey,
  verifyKeyHistory,
} from '@colophon/model';
import { ApiError, type Client } from '@colophon/sdk';
import { createVerifySignature } from '../access/ed25519.js';
import { NotVerifiedError, UsageError } from './usage.js';

/** `from`: a description of the source of the keys. */
export interface KeySource {
  keys: readonly LogKey[];
  from: string;
  /** Whether the service itself returned the keys. */
  isOfService?: true;
}

/**
 * Returns the keys of `--key`. With a key history (`--keys`), adds the later keys. Throws NotVerifiedError if the
 * history does not verify with any of the given keys.
 */
export async function readKeys(texts: readonly string[], history: string | undefined): Promise<KeySource> {
  const given = texts.map(requireKey);
  if (history === undefined) return { keys: given, from: 'given with --key' };
  const document = await readFile(history);
  const verify = createVerifySignature();
  const reports = given.map((trusted) => verifyKeyHistory(document, trusted, verify));
  const keys = given.flatMap((trusted, place) => {
    const report = reports[place];
    return report?.verified ? report.keys : [trusted];
  });
  if (reports.some(({ verified }) => verified)) return { keys, from: 'given with --key and --keys' };
  const [first] = reports;
  if (first === undefined || first.verified) throw new UsageError('--keys needs --key <k>.');
  throw new NotVerifiedError(`${history} does not verify: ${first.code}. ${KEY_HISTORY_FAULTS[first.code]}`);
}

/** An earlier version of the service returns only one key. */
export async function readKeysOfService({ log }: Client): Promise<KeySource> {
  const texts = await log.keys().then(
    ({ keys }) => keys.map(({ verifierKey }) => verifierKey).reverse(),
    async (error: unknown) => {
      if (error instanceof ApiError && error.code === 'NotFound') return [(await log.get()).verifierKey];
      throw error;
    },
  );
  const keys = texts.map((text) => parseTrustedLog(text)).filter((key) => key !== undefined);
  if (keys.length === 0) throw new Error('The service returned a log key that cannot be read.');
  return { keys, from: 'taken from the service', isOfService: true };
}

/** If no key verified the document, describes only the source of the keys. */
export function describeKey({ keys, from }: KeySource, place: number, origin: string | undefined): string {
  const key = keys[place];
  if (key === undefined || origin === undefined) return from;
  const state = key.maxSize === undefined ? '' : ' (retired)';
  return `the log's key ${toVerifierKey(origin, key.publicKey).keyId}${state}, ${from}`;
}

/** Facts about the keys that the check could not establish. */
export function notCheckedOf({ isOfService }: KeySource): string[] {
  return isOfService ? ['whether the service returned the right key (use --key)'] : [];
}

function requireKey(text: string): LogKey {
  const key = parseTrustedLog(text);
  if (key !== undefined) return key;
  throw new UsageError(
    '--key must be <origin>+<key id>+<base64>, as `colophon log` shows it, or 64 hex digits.',
  );
}
