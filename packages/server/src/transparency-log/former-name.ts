import type { TransparencyLogDeps } from './deps.js';

/** The head of a log in an anchor or a time-stamp. */
interface PlacedTree {
  origin: string;
}

/**
 * Whether the service may prove that a leaf is under this head. It may not under a former name of the log if the log
 * lost leaves: the tree of the head can be from before the loss, or contain other leaves in the place of lost ones.
 * `present`: the present name.
 */
export async function mayProve(
  { signedHeads }: Pick<TransparencyLogDeps, 'signedHeads'>,
  { projectId, present }: { projectId: string; present: string },
  head: PlacedTree | undefined,
): Promise<boolean> {
  if (head === undefined || head.origin === present || signedHeads === undefined) return true;
  return !(await signedHeads.isLost({ projectId, origin: head.origin }));
}
