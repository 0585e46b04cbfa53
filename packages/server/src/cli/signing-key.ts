import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { createSigner, type Signer } from '@colophon/model';
import { openFile } from './open-file.js';
import { print } from './print.js';
import { UsageError } from './usage.js';

const SEED_BYTES = 32;

export async function readSigner(file: string): Promise<Signer> {
  return createSigner(await readSeed(file));
}

export async function readSeed(file: string): Promise<string> {
  const seed = (await text((await openFile(file)).read('reading'))).trim();
  if (!/^[0-9a-fA-F]{64}$/.test(seed))
    throw new UsageError(
      `${file} does not contain a signing key (64 hex digits). ` +
        '`colophon sign --new <file>` creates a file with a key.',
    );
  return seed.toLowerCase();
}

/** Writes a new seed into a file that only its owner can read. */
export async function makeKey(file: string, json: boolean | undefined): Promise<void> {
  const seed = randomBytes(SEED_BYTES).toString('hex');
  await writeFile(file, `${seed}\n`, { mode: 0o600, flag: 'wx' });
  const { publicKey } = createSigner(seed);
  print({ publicKey }, { json, describe: () => `${publicKey}\n` });
}
