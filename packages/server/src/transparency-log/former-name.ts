import type { TransparencyLogDeps } from './deps.js';

/** The head of a log in an anchor or a time-stamp. */
interface PlacedTree {
  origin: string;
}

/**
 * Whether the service may prove that a leaf is under this head. Returns false if the head has a former name of the log
 * and the log lost leaves under this name. The tree of this head can contain the lost leaves, or other leaves in their
 * place. `present`: the present name.
 */
export async function mayProve(
  { signedHeads }: Pick<TransparencyLogDeps, 'signedHeads'>,
  { projectId, present }: { projectId: string; present: string },
  head: PlacedTree | undefined,
): Promise<boolean> {
  if (head === undefined || head.origin === present || signedHeads === undefined) return true;
  return !(await signedHeads.isLost({ projectId, origin: head.origin }));
}
