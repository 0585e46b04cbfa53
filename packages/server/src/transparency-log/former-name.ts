import type { TransparencyLogDeps } from './deps.js';

interface PlacedTree {
  origin: string;
}

/**
 * Whether the service may prove that a leaf is under this head. It may not if the head has a former name of the log,
 * and the log lost leaves under this name.
 */
export async function mayProve(
  { signedHeads }: Pick<TransparencyLogDeps, 'signedHeads'>,
  { projectId, present }: { projectId: string; present: string },
  head: PlacedTree | undefined,
): Promise<boolean> {
  if (head === undefined || head.origin === present || signedHeads === undefined) return true;
  return !(await signedHeads.isLost({ projectId, origin: head.origin }));
}
