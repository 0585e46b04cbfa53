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

/** Faults of a log, with their meanings. */
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

/** A fault at an address. `origin`: the origin of the watched log. `notes`: the checkpoints that prove the fault. */
export interface LogFinding {
  fault: LogFault;
  origin: string;
  address: string;
  notes: readonly string[];
}

/** The requests to a watched log. `keys`: undefined for a log without a key history. */
export interface WatchedLog extends Pick<Log, 'checkpoint' | 'tile'>, Partial<Pick<Log, 'keys'>> {
  consistency(sizes: { from: number; to: number }): Promise<{ consistencyPath: string[] }>;
}

/** The trusted key of a log, and the later keys that the watch has learned. */
export interface KnownKeys {
  /** The present key is the last one. All other keys are retired, and have a `maxSize`. */
  list(): readonly LogKey[];
  /** Stores a key history that adds keys to the known keys. Ignores any other history. */
  learn(history: string): Promise<void>;
}

export interface WatchDeps {
  /** Contains the origin, so that the checkpoint of another log with the same key is a fault. */
  trusted: TrustedLog & { origin: string };
  verify: VerifySignature;
  keys: KnownKeys;
  /** Stores the newest checkpoint of the log, from any address. It agrees with all earlier checkpoints. */
  checkpoints: CheckpointStore;
  /** Stores the checkpoints that were written to `checkpoints`: the present one and earlier ones. */
  history: CheckpointHistory;
}

/** A checkpoint that a known key of the log signed. `note`: its text with the signatures. */
export interface SignedNote {
  checkpoint: SignedCheckpoint;
  note: string;
}

/**
 * The result of a check. `grew`: number of new leaves since the newest stored checkpoint. `behind`: number of leaves
 * that this address lacks. `notes`: the checkpoints that prove the fault.
 */
export type LogCheck =
  | { fault: undefined; checkpoint: SignedCheckpoint; grew: number; behind: number }
  | { fault: LogFault; notes: string[] };

/**
 * Reads the consistency proof between two sizes. Returns an empty proof if no proof is necessary. If the log does not
 * have the proof, also returns an empty proof. The verification of the growth then fails.
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

/**
 * Reads leaf hashes from at most `maxTiles` tiles and appends them to the frontier. The tree over all leaves of the
 * frontier must be a prefix of the tree of the checkpoint. If it is not, returns the fault `otherLeaves` and the
 * unchanged frontier.
 */
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
