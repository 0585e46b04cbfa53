import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type CosignatureAlgorithm,
  formatWitnessKey,
  MAX_COSIGNED_NAME_BYTES,
  type TrustedLog,
} from '@colophon/model';
import { createVerifySignature } from '../../access/ed25519.js';
import { createLimiter } from '../../access/limiter.js';
import { lockDirectory } from '../../platform/db/pglite/directory-lock.js';
import { makeDirectory } from '../../platform/files/make-directory.js';
import { readIfPresent } from '../../platform/files/text-file.js';
import { UsageError } from '../usage.js';
import type { Witness } from './add-checkpoint.js';
import { openFilePerLog } from './file-per-log.js';
import { chooseAlgorithm, openWitnessKey } from './open-witness-key.js';

export interface OpenWitness {
  witness: Witness;
  /** The public key of the witness as text: `<name>+<key id>+<base64>`. */
  verifierKey: string;
  close(): void;
}

/** Without `name`, the witness uses the name in its directory, or `defaultName` at the first start. */
export interface WitnessSettings {
  directory: string;
  name: string | undefined;
  /** If undefined, the witness uses the algorithm of the key in its directory, or Ed25519 at the first start. */
  algorithm: CosignatureAlgorithm | undefined;
  defaultName: string;
  logs: ReadonlyMap<string, readonly TrustedLog[]>;
  /** Maximum number of signed requests per minute, for each log and client. */
  limitPerMinute: number;
}

const OTHERS = 0o077;
const NAME_FILE = 'name';

/** Rejects when another process uses the directory, other users can open it, or a stored checkpoint is damaged. */
export async function openWitness(settings: WitnessSettings): Promise<OpenWitness> {
  const { directory, logs, limitPerMinute } = settings;
  await makeDirectory(directory);
  await assertPrivate(directory);
  const lock = await lockDirectory(directory, '--dir');
  try {
    // Checks the name and the algorithm first, because the first start stores the name and the key permanently.
    const storedName = await readName(settings);
    const name = storedName ?? settings.name ?? settings.defaultName;
    const hasName = storedName !== undefined;
    const algorithm = await chooseAlgorithm(directory, { wanted: settings.algorithm, hasName });
    if (algorithm === 'ml-dsa-44') assertShort([name, ...logs.keys()]);
    if (!hasName) await writeFile(path.join(directory, NAME_FILE), name, { mode: 0o600, flush: true });
    const { key, signer } = await openWitnessKey(directory, { name, algorithm });
    const checkpoints = openFilePerLog(directory);
    for (const origin of logs.keys()) await checkpoints.readLatest(origin);
    return {
      witness: {
        ...{ name, signer, logs, checkpoints, now: Date.now, verify: createVerifySignature() },
        limiter: createLimiter({ perMinute: limitPerMinute, burst: 0 }),
      },
      verifierKey: formatWitnessKey(key),
      close: lock.release,
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function assertPrivate(directory: string): Promise<void> {
  // Without `process.getuid` (Windows), modes have no meaning.
  if (process.getuid === undefined || ((await stat(directory)).mode & OTHERS) === 0) return;
  throw new Error(
    `Other users of this machine can open ${directory}. Choose another directory, or run: chmod 700 '${directory}'`,
  );
}

/** With ML-DSA-44, the signed message has room for names of at most 255 bytes (C2SP tlog-cosignature). */
function assertShort(names: readonly string[]): void {
  const long = names.find((one) => Buffer.byteLength(one) > MAX_COSIGNED_NAME_BYTES);
  if (long === undefined) return;
  throw new UsageError(
    `With ML-DSA-44, the name of the witness and of each log has at most ${MAX_COSIGNED_NAME_BYTES} bytes. This name is too long: ${long.slice(0, 100)}...`,
  );
}

/** The key of a witness contains its name, so the stored name never changes. */
async function readName({
  directory,
  name,
}: Pick<WitnessSettings, 'directory' | 'name'>): Promise<string | undefined> {
  const stored = await readIfPresent(path.join(directory, NAME_FILE));
  if (stored === undefined || stored === '') return undefined;
  if (name !== undefined && name !== stored)
    throw new UsageError(`The witness in ${directory} has the name ${stored}. Leave --name out.`);
  return stored;
}
