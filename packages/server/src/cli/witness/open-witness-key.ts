import { lstat } from 'node:fs/promises';
import path from 'node:path';
import {
  type CosignatureAlgorithm,
  type MlDsaSigner,
  type NoteSigner,
  toWitnessKey,
  type WitnessKey,
} from '@colophon/model';
import { createSigner } from '../../access/ed25519.js';
import { createMlDsaSigner, explainMissingMlDsa, hasMlDsa } from '../../access/ml-dsa.js';
import { openKeyFile } from '../../transparency-log/signing-key.js';
import { UsageError } from '../usage.js';

/** Each file contains a seed of 64 hex digits. */
const FILES: Record<CosignatureAlgorithm, string> = {
  ed25519: 'witness-key',
  'ml-dsa-44': 'witness-key-ml-dsa-44',
};
const KINDS: Record<CosignatureAlgorithm, string> = { ed25519: 'an Ed25519', 'ml-dsa-44': 'an ML-DSA-44' };

/** Returns the algorithm of the key in the directory; without a key, `wanted` (default: Ed25519). */
export async function chooseAlgorithm(
  directory: string,
  { wanted, hasName }: { wanted: CosignatureAlgorithm | undefined; hasName: boolean },
): Promise<CosignatureAlgorithm> {
  const stored = await findStored(directory);
  // A witness with another key is another witness, so a lost key must not be replaced silently.
  if (hasName && stored === undefined && wanted === undefined)
    throw new UsageError(
      `The witness in ${directory} has a name, but no key. Restore ${FILES.ed25519} or ${FILES['ml-dsa-44']}, or pass --algorithm to create a new key.`,
    );
  if (wanted !== undefined && stored !== undefined && wanted !== stored)
    throw new UsageError(
      `The witness in ${directory} has ${KINDS[stored]} key. Leave --algorithm out, or use another directory.`,
    );
  const algorithm = stored ?? wanted ?? 'ed25519';
  if (algorithm === 'ed25519' || hasMlDsa()) return algorithm;
  throw new UsageError(
    stored === undefined
      ? `${explainMissingMlDsa()}. Use a Node that has it, or --algorithm ed25519.`
      : `The witness in ${directory} has an ML-DSA-44 key. ${explainMissingMlDsa()}. Use a Node that has it.`,
  );
}

/** Creates the key at the first start. */
export async function openWitnessKey(
  directory: string,
  { name, algorithm }: { name: string; algorithm: CosignatureAlgorithm },
): Promise<{ key: WitnessKey; signer: NoteSigner | MlDsaSigner }> {
  const seedHex = await openKeyFile(path.join(directory, FILES[algorithm]));
  if (algorithm === 'ml-dsa-44') {
    const signer = createMlDsaSigner(seedHex);
    return { key: toWitnessKey(name, signer.publicKey, algorithm), signer };
  }
  const signer = createSigner(seedHex);
  return { key: toWitnessKey(name, Buffer.from(signer.publicKeyHex, 'hex')), signer };
}

async function findStored(directory: string): Promise<CosignatureAlgorithm | undefined> {
  const hasEd25519 = await isPresent(path.join(directory, FILES.ed25519));
  const hasMlDsa44 = await isPresent(path.join(directory, FILES['ml-dsa-44']));
  if (hasEd25519 && hasMlDsa44)
    throw new UsageError(
      `The directory ${directory} has two keys, ${FILES.ed25519} and ${FILES['ml-dsa-44']}. Remove the file that is not the key of this witness.`,
    );
  if (hasEd25519) return 'ed25519';
  return hasMlDsa44 ? 'ml-dsa-44' : undefined;
}

/** A symbolic link counts even if its target does not exist. */
async function isPresent(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
