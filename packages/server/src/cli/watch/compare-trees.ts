import { type SignedCheckpoint, verifyConsistency, verifyGrowth } from '@colophon/model';
import type { AddressState } from './address-state.js';
import { type LogCheck, readPath, type SignedNote, type WatchDeps, type WatchedLog } from './check-log.js';
import { formatNote } from './format-note.js';

/** `others`: the logs at all other addresses. */
export interface Place {
  address: string;
  log: Pick<WatchedLog, 'consistency'>;
  others: readonly Pick<WatchedLog, 'consistency'>[];
  state: AddressState;
}

/** Fewer rounds with a smaller tree are no fault: a node or cache may not have the newest checkpoint yet. */
const GRACE_ROUNDS = 5;

/**
 * Compares the checkpoint of an address with the newest one of all addresses. A smaller tree must be a prefix. If this
 * address itself showed a larger tree before, a prefix in `GRACE_ROUNDS` consecutive rounds is a fault too. Rejects
 * when the log does not respond.
 */
export async function compareTrees(
  deps: Pick<WatchDeps, 'checkpoints' | 'history'>,
  place: Place,
  signed: SignedNote,
): Promise<LogCheck> {
  const { checkpoint, note } = signed;
  const { origin, size } = checkpoint;
  const newest = await deps.checkpoints.readLatest(origin);
  if (newest !== undefined && size < newest.size) return compareSmaller(deps, place, { ...signed, newest });
  if (newest !== undefined) {
    const path = await readPath(place.log, { from: newest.size, to: size });
    const growth = verifyGrowth(newest, checkpoint, path);
    if (!growth.verified) return { fault: growth.code, notes: [formatNote(newest), note] };
  }
  if (newest?.size !== size) {
    await deps.history.append(note, place.address);
    await deps.checkpoints.write(origin, note);
  }
  await keepLast(place.state, signed);
  return { fault: undefined, checkpoint, grew: size - (newest?.size ?? 0), behind: 0 };
}

async function compareSmaller(
  { history }: Pick<WatchDeps, 'history'>,
  { log, others, state }: Place,
  { newest, ...signed }: SignedNote & { newest: SignedCheckpoint },
): Promise<LogCheck> {
  const { checkpoint, note } = signed;
  const { origin, size } = checkpoint;
  const known = await history.readOfSize(origin, size);
  if (known !== undefined && !Buffer.from(known.root).equals(checkpoint.root))
    return { fault: 'splitView', notes: [formatNote(known), note] };
  const last = await state.checkpoints.readLatest(origin);
  const isSmaller = last !== undefined && size < last.size;
  if (known === undefined && !(await isPartOf(newest, checkpoint, [log, ...others])))
    return isSmaller
      ? { fault: 'rollback', notes: [formatNote(last), note] }
      : { fault: 'inconsistent', notes: [formatNote(newest), note] };
  const behind = newest.size - size;
  if (!isSmaller) await keepLast(state, signed);
  else {
    const rounds = (await state.readSmallerRounds()) + 1;
    await state.writeSmallerRounds(rounds);
    if (rounds >= GRACE_ROUNDS) return { fault: 'rollback', notes: [formatNote(last), note] };
  }
  return { fault: undefined, checkpoint, grew: 0, behind };
}

async function keepLast(state: AddressState, { checkpoint, note }: SignedNote): Promise<void> {
  const { origin, size } = checkpoint;
  if ((await state.checkpoints.readLatest(origin))?.size !== size)
    await state.checkpoints.write(origin, note);
  if ((await state.readSmallerRounds()) > 0) await state.writeSmallerRounds(0);
}

/**
 * Whether the newest tree continues the smaller one. An address with a smaller tree cannot prove this itself. Rejects
 * if no log proves this and a log does not respond.
 */
async function isPartOf(
  newest: SignedCheckpoint,
  smaller: SignedCheckpoint,
  logs: readonly Pick<WatchedLog, 'consistency'>[],
): Promise<boolean> {
  const failures: unknown[] = [];
  for (const log of logs) {
    try {
      const path = await readPath(log, { from: smaller.size, to: newest.size });
      if (verifyConsistency(smaller, newest, path)) return true;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return false;
}
