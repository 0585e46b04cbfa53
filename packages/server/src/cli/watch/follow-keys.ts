import path from 'node:path';
import { findSignerFault, type LogKey, parseCheckpoint, verifyKeyHistory } from '@colophon/model';
import { ApiError } from '@colophon/sdk';
import { readIfPresent, replaceFile } from '../../platform/files/text-file.js';
import type { KnownKeys, LogFault, SignedNote, WatchDeps, WatchedLog } from './check-log.js';

/** Known keys remain known even if an address later omits a hand-over. */
export async function openKnownKeys(
  directory: string,
  { trusted, verify }: Pick<WatchDeps, 'trusted' | 'verify'>,
): Promise<KnownKeys> {
  const file = path.join(directory, 'key-history.json');
  const readKeys = (history: string): readonly LogKey[] => {
    const report = verifyKeyHistory(history, trusted, verify);
    return report.verified ? report.keys : [trusted];
  };
  const stored = await readIfPresent(file);
  let keys = stored === undefined ? [trusted] : readKeys(stored);
  return {
    list: () => keys,
    async learn(history) {
      const longer = readKeys(history);
      if (longer.length <= keys.length || !keys.every((key, place) => isSame(key, longer[place]))) return;
      await replaceFile(file, history);
      keys = longer;
    },
  };
}

function isSame({ publicKey }: LogKey, other: LogKey | undefined): boolean {
  return other !== undefined && Buffer.from(publicKey).equals(other.publicKey);
}

/**
 * A retired key may sign only trees without the hand-over to the next key. If the watch knows of a rotation, it reads
 * the key history in each round, else only after an unknown key signed the checkpoint.
 */
export async function readSignedNote(
  deps: Pick<WatchDeps, 'trusted' | 'verify' | 'keys'>,
  log: Pick<WatchedLog, 'checkpoint' | 'keys'>,
): Promise<SignedNote | { fault: LogFault; notes: string[] }> {
  const note = await log.checkpoint();
  const isRotated = deps.keys.list().length > 1;
  const learned = isRotated ? await Promise.allSettled([learnKeys(deps, log)]) : [];
  const first = checkSigner(deps, note);
  // Reports a fault of the checkpoint even if the key history cannot be read.
  if ('fault' in first && first.fault !== 'untrustedKey') return first;
  for (const one of learned) if (one.status === 'rejected') throw one.reason;
  if (isRotated || !('fault' in first)) return first;
  await learnKeys(deps, log);
  return checkSigner(deps, note);
}

function checkSigner(
  { trusted, verify, keys }: Pick<WatchDeps, 'trusted' | 'verify' | 'keys'>,
  note: string,
): SignedNote | { fault: LogFault; notes: string[] } {
  const checkpoint = parseCheckpoint(note);
  if (checkpoint === undefined) return { fault: 'malformedCheckpoint', notes: [note] };
  const faults = keys.list().map((key) => ({
    key,
    fault: findSignerFault(checkpoint, {
      named: trusted.origin,
      trusted: { ...key, origin: trusted.origin },
      verify,
    }),
  }));
  const signers = faults.filter(({ fault }) => fault === undefined);
  if (signers.some(({ key: { maxSize = Number.POSITIVE_INFINITY } }) => checkpoint.size <= maxSize))
    return { checkpoint, note };
  if (signers.length > 0) return { fault: 'retiredKey', notes: [note] };
  const { fault } = faults.find((one) => one.fault !== 'untrustedKey') ?? {};
  return { fault: fault ?? 'untrustedKey', notes: [note] };
}

/** Has no effect if the log has no key history, or if the service is of an earlier version or has no key. */
async function learnKeys({ keys }: Pick<WatchDeps, 'keys'>, log: Pick<WatchedLog, 'keys'>): Promise<void> {
  if (log.keys === undefined) return;
  try {
    await keys.learn(JSON.stringify(await log.keys()));
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'NotFound')) throw error;
  }
}
