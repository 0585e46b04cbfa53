import { v7 as uuidv7 } from 'uuid';
import { withLease } from '../platform/jobs/leader-loop.js';
import { insertAnchors, listDueActions, listDueLogs, type NewAnchor } from './anchors.sql.js';
import type { AnchoringDeps } from './deps.js';
import { placeHeads } from './place-heads.js';
import { listAnchoredLogs } from './unanchored-projects.sql.js';

const MAX_HEADS = 1_000;

/** Stores an anchor over the heads of logs that have grown. Returns false if no log has grown. */
export async function makeHeadsAnchor(deps: AnchoringDeps): Promise<boolean> {
  const due = await listAnchoredLogs(deps.control, (except) =>
    listDueLogs(deps.provenance, except, MAX_HEADS),
  );
  if (due.length === 0) return false;
  const { root, heads } = await placeHeads(deps.provenance, due);
  await store(deps, [
    { id: uuidv7(), rootHex: Buffer.from(root).toString('hex'), size: heads.length, heads },
  ]);
  return true;
}

export async function makeActionAnchors(deps: AnchoringDeps, room: number): Promise<void> {
  const { provenance, control } = deps;
  let left = room;
  for (const log of await listAnchoredLogs(control, (except) => listDueLogs(provenance, except, room))) {
    if (left <= 0) return;
    const { projectId, size, origin } = log;
    const actions = await listDueActions(provenance, log, left);
    const anchors = actions.map(({ leafIndex, digestHex }) => {
      const head = { projectId, size: leafIndex + 1, origin, place: null, path: null };
      return { id: uuidv7(), rootHex: digestHex, size: null, heads: [head] };
    });
    // With fewer than `left` actions, the log has no further action up to `size`.
    await store(deps, anchors, actions.length < left ? [{ projectId, size }] : []);
    left -= actions.length;
  }
}

async function store(
  deps: AnchoringDeps,
  anchors: readonly NewAnchor[],
  passedOver: readonly { projectId: string; size: number }[] = [],
): Promise<void> {
  await withLease(deps, (tx) => insertAnchors(tx, { anchors, passedOver }, deps.registry));
}
