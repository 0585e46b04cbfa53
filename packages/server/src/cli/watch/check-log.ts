import {
  fromBase64,
  type LogKey,
  type SignedCheckpoint,
  TILE_WIDTH,
  type TrustedLog,
  type VerifySignature,
  verifyConsistency,
} from '@colophon/model';
import { ApiError, type Log } from '@colophon/sdk';
import { HASH_BYTES, splitTile } from '../../transparency-log/tile-subtrees.js';
import type { CheckpointStore } from '../witness/file-per-log.js';
import type { CheckpointHistory } from './checkpoint-history.js';
import { appendLeaf, frontierRoot, type LeafFrontier } from './leaf-frontier.js';

export const LOG_FAULTS = {
  malformedCheckpoint: 'The response is not a checkpoint.',
  otherOrigin: 'The checkpoint belongs to another log.',
  untrustedKey: 'The key of the log did not sign the checkpoint.',
  badSignature: 'The signature of the checkpoint is wrong.',
  rollback:
    'The tree is smaller than before: leaves were removed, or the database was restored from an older copy.',
  splitView: 'The tree has the same size as before and another root: the log shows different trees.',
  inconsistent: 'The tree does not continue the tree from before: leaves were changed or removed.',
  retiredKey: 'A retired key signed a tree that contains the hand-over to its next key.',
  otherLeaves: 'The leaves in the tiles do not lead to the root of the checkpoint.',
} as const;

export type LogFault = keyof typeof LOG_FAULTS;

/** The log does not have the requested tile. */
export class AbsentTileError extends Error {}

/** `origin`: the origin of the watched log. `notes`: the checkpoints that prove the fault. */
export interface LogFinding {
  fault: LogFault;
  origin: string;
  address: string;
  notes: readonly string[];
}

/** `keys` is undefined for a log without a key history. */
export interface WatchedLog extends Pick<Log, 'checkpoint' | 'tile'>, Partial<Pick<Log, 'keys'>> {
  consistency(sizes: { from: number; to: number }): Promise<{ consistencyPath: string[] }>;
}

/** The trusted key of a log, and the later keys that the watch has learned. */
export interface KnownKeys {
  /** The last key is the present one. The others are retired, and have a `maxSize`. */
  list(): readonly LogKey[];
  /** Stores a key history only if it adds keys to the known keys. */
  learn(history: string): Promise<void>;
}

export interface WatchDeps {
  /** Contains the origin, so that the checkpoint of another log with the same key is a fault. */
  trusted: TrustedLog & { origin: string };
  verify: VerifySignature;
  keys: KnownKeys;
  /** The newest checkpoint of the log, from any address. */
  checkpoints: CheckpointStore;
  /** Checkpoints that were written to `checkpoints`, oldest first. */
  history: CheckpointHistory;
}

/** A checkpoint that a known key of the log signed. */
export interface SignedNote {
  checkpoint: SignedCheckpoint;
  note: string;
}

/** `grew`: new leaves since the newest stored checkpoint. `behind`: leaves that this address lacks. */
export type LogCheck =
  | { fault: undefined; checkpoint: SignedCheckpoint; grew: number; behind: number }
  | { fault: LogFault; notes: string[] };

/**
 * The result is empty if no proof is necessary, or if the log does not have the proof. The verification fails without
 * it.
 */
export async function readPath(
  log: Pick<WatchedLog, 'consistency'>,
  sizes: { from: number; to: number },
): Promise<Uint8Array[]> {
  if (sizes.from === 0 || sizes.from >= sizes.to) return [];
  try {
    const { consistencyPath } = await log.consistency(sizes);
    return consistencyPath.map((hash) => fromBase64(hash) ?? new Uint8Array());
  } catch (error) {
    if (error instanceof AbsentTileError) return [];
    if (error instanceof ApiError && error.code === 'InvalidField') return [];
    throw error;
  }
}

/** Returns `otherLeaves` and the unchanged frontier if the leaves are not a prefix of the checkpoint's tree. */
export async function readLeaves(
  log: Pick<WatchedLog, 'tile' | 'consistency'>,
  checkpoint: SignedCheckpoint,
  { frontier, maxTiles }: { frontier: LeafFrontier; maxTiles: number },
): Promise<{ frontier: LeafFrontier; fault: 'otherLeaves' | undefined }> {
  let read = frontier;
  for (let tiles = 0; tiles < maxTiles && read.size < checkpoint.size; tiles++) {
    const index = Math.floor(read.size / TILE_WIDTH);
    const width = Math.min(TILE_WIDTH, checkpoint.size - index * TILE_WIDTH);
    const bytes = await log.tile({ level: 0, index, width });
    if (bytes.length !== width * HASH_BYTES) return { frontier, fault: 'otherLeaves' };
    for (const leaf of splitTile(bytes, width).slice(read.size % TILE_WIDTH)) read = appendLeaf(read, leaf);
  }
  const tree = { size: read.size, root: frontierRoot(read) };
  const path = await readPath(log, { from: tree.size, to: checkpoint.size });
  if (!verifyConsistency(tree, checkpoint, path)) return { frontier, fault: 'otherLeaves' };
  return { frontier: read, fault: undefined };
}
