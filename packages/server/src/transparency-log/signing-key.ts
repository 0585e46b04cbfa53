import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from '../platform/files/make-directory.js';
import { readIfPresent, replaceFile } from '../platform/files/text-file.js';
import type { CommandLine } from './run-command.js';

/** `seedHex` has 64 hex digits. */
export type SigningKeyLocation =
  | { kind: 'given'; seedHex: string }
  | { kind: 'command'; command: CommandLine }
  | { kind: 'directory'; directory: string }
  | { kind: 'memory' }
  | { kind: 'none' };

const FILE = 'log-signing-key';
const NEXT = `${FILE}.next`;
const FORMER = `${FILE}.former`;

/**
 * Returns the seed of the log's Ed25519 key; undefined when the log is not signed. For `directory`, creates the file if
 * it is absent. For `memory`, creates a new seed at each call.
 */
export async function openSigningKey(
  place: Exclude<SigningKeyLocation, { kind: 'command' }>,
): Promise<string | undefined> {
  switch (place.kind) {
    case 'given':
      return place.seedHex;
    case 'directory':
      return openKeyFile(path.join(place.directory, FILE));
    case 'memory':
      return randomBytes(32).toString('hex');
    case 'none':
      return undefined;
  }
}

/** Returns undefined if there is no seed. */
export async function readSigningKey(place: SigningKeyLocation): Promise<string | undefined> {
  if (place.kind === 'given') return place.seedHex;
  if (place.kind !== 'directory') return undefined;
  return readSeed(path.join(place.directory, FILE));
}

/** `next`: the new seed of an interrupted rotation. It may have signed logs already. */
export interface StoredKeys {
  key: string | undefined;
  next: string | undefined;
}

export async function readStoredKeys(directory: string): Promise<StoredKeys> {
  const next = await readSeed(path.join(directory, NEXT));
  return { key: await readSeed(path.join(directory, FILE)), next };
}

/** Replaces the keys of an existing directory. */
export async function storeKeys(directory: string, { key, next }: StoredKeys): Promise<void> {
  if (next !== undefined) await replaceFile(path.join(directory, NEXT), `${next}\n`);
  if (key !== undefined) await replaceFile(path.join(directory, FILE), `${key}\n`);
}

async function readSeed(file: string): Promise<string | undefined> {
  const text = await readIfPresent(file);
  return text === undefined ? undefined : toSeed(text, file);
}

/** The directory has a different next key, from an interrupted rotation. That key may have signed logs already. */
export class OpenRotationError extends Error {
  constructor(file: string) {
    super(`${file} has another key, from a rotation that was interrupted`);
  }
}

/**
 * The first call stores `seedHex` or a random seed. Further calls return the stored seed, until `installNextKey` is
 * called. Throws OpenRotationError when the stored seed differs from `seedHex`.
 */
export async function openNextKey(directory: string, seedHex: string | undefined): Promise<string> {
  const file = path.join(directory, NEXT);
  const stored = await openKeyFile(file, seedHex);
  if (seedHex !== undefined && stored !== seedHex) throw new OpenRotationError(file);
  return stored;
}

/** The former key stays in `log-signing-key.former`. */
export async function installNextKey(directory: string): Promise<void> {
  const [file, next, former] = [FILE, NEXT, FORMER].map((name) => path.join(directory, name)) as [
    string,
    string,
    string,
  ];
  await replaceFile(former, await readFile(file, 'utf8'));
  await rename(next, file);
}

/** Returns the seed in this file, 64 hex digits. If there is no file, creates it, readable only by its owner. */
export async function openKeyFile(file: string, seedHex = randomBytes(32).toString('hex')): Promise<string> {
  await makeDirectory(path.dirname(file));
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(fresh, `${seedHex}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    // If several processes start together, only one link succeeds, and all of them use the seed of this link.
    await link(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(fresh);
  }
  return toSeed(await readFile(file, 'utf8'), file);
}

function toSeed(text: string, file: string): string {
  const seedHex = text.trim();
  if (!/^[0-9a-f]{64}$/.test(seedHex)) throw new Error(`${file} does not contain a key of 64 hex digits`);
  return seedHex;
}
