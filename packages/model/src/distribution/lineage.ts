import { type CorrectingAction, correctedActions } from '../extensions/correction.js';
import { markedInput } from '../extensions/mark.js';
import { compareCodePoints } from './code-point-order.js';
import { DistributionError } from './distribution-error.js';

/** The members of a bundle that this module reads. The service, `toBundle` or the caller creates the bundle. */
export interface LineageBundle {
  cid: string;
  actions: readonly (CorrectingAction & { inputCids: readonly string[] })[];
  attributions: readonly {
    id?: string | undefined;
    entityId: string;
    actionId?: string | undefined;
    resourceCid?: string | undefined;
    role: string;
    weight?: string | number | undefined;
    note?: string | undefined;
    extensions?: Readonly<Record<string, unknown>> | undefined;
  }[];
  entities: readonly { id: string; wallet?: string | undefined }[];
  aliases?: Readonly<Record<string, string>> | undefined;
  complete: boolean;
}

/**
 * A content of a lineage. `from` is the next content on the shortest path to the requested content, and the action that
 * made this next content.
 */
export interface Ancestor {
  cid: string;
  /**
   * Number of actions between this content and the requested content; 0 for the requested content. An action that made
   * a marked copy does not count in the distance of the original (see `walkLineage`).
   */
  distance: number;
  from?: { cid: string; actionId: string };
}

/**
 * The contents of a lineage, nearest first. Contents of the same distance are in code-point order. After them come the
 * originals of marked copies, which have the distance of their copies.
 */
export interface Lineage {
  ancestors: Ancestor[];
  /** Whether the bundle has an action that made a content one step beyond the requested depth. */
  reachesBeyond: boolean;
}

/** An action with the canonical CIDs of its contents. */
export interface Step {
  id: string;
  inputs: string[];
  outputs: string[];
  /** If the action made a marked copy: its original, the input that was copied and marked. */
  marked?: string | undefined;
  /** If the output is a marked copy: the original, which gets the credits of the copy. See `withWorks`. */
  work?: string | undefined;
}

/** Returns a function that maps any identifier of a content to its canonical CID. */
export function canonicalNames({ aliases = {} }: LineageBundle): (cid: string) => string {
  const names = new Map(Object.entries(aliases));
  return (cid) => names.get(cid) ?? cid;
}

/** Returns the bundle without the actions that later actions correct, and without their attributions. */
export function withoutCorrected(bundle: LineageBundle): LineageBundle {
  const corrected = correctedActions(bundle.actions, bundle.aliases);
  if (corrected.size === 0) return bundle;
  return {
    ...bundle,
    actions: bundle.actions.filter(({ id }) => !corrected.has(id)),
    attributions: bundle.attributions.filter(({ actionId = '' }) => !corrected.has(actionId)),
  };
}

/** Returns the actions of a bundle, in code-point order of their ids. */
export function stepsOf(bundle: LineageBundle): Step[] {
  const canonical = canonicalNames(bundle);
  const namesOf = (cids: readonly string[]) => [...new Set(cids.map(canonical))];
  const steps = bundle.actions.map((action) => ({
    id: action.id,
    inputs: namesOf(action.inputCids),
    outputs: namesOf(action.outputCids),
    marked: markedInput(action, canonical),
  }));
  return steps.sort((a, b) => compareCodePoints(a.id, b.id));
}

/**
 * Returns `root` and the contents that `root` was made from, up to `depth` actions away. Each content is listed once,
 * with its smallest distance. An action with a `work` made a marked copy. It does not count in the distance of the
 * original, but it counts in the distances of its other inputs. Throws `CyclicBundle` for a cycle.
 *
 * A content can have several shortest paths. `from` then names the next content that is first in `ancestors`. If
 * several actions made this next content from the content, `from` names the first of these actions in code-point order.
 */
export function walkLineage(root: string, steps: readonly Step[], depth: number): Lineage {
  const makers = makersOf(steps);
  const { found, frontier } = walk(root, makers, depth);
  refuseCycles(root, { makers, isFollowed: (cid) => (found.get(cid)?.distance ?? depth) < depth });
  const ancestors = [...found.values()];
  if (!ancestors.some(({ cid }) => isCopy(cid, makers)))
    return { ancestors, reachesBeyond: reachesBeyond({ found, frontier, makers }) };
  // The depth of a bundle counts every action. So this walk also counts the actions that made marked copies.
  const plain = makersOf(steps.map((step) => ({ ...step, work: undefined })));
  const reached = walk(root, plain, countActions(ancestors, makers));
  return { ancestors, reachesBeyond: reachesBeyond({ ...reached, makers: plain }) };
}

type Makers = ReadonlyMap<string, readonly Step[]>;

interface Walked {
  found: Map<string, Ancestor>;
  /** The contents of the largest distance. Empty if the walk ended before the requested depth. */
  frontier: readonly string[];
}

function walk(root: string, makers: Makers, depth: number): Walked {
  const found = new Map<string, Ancestor>([[root, { cid: root, distance: 0 }]]);
  let frontier = addMarked([root], { distance: 0, makers, found });
  let distance = 0;
  while (frontier.length > 0 && distance < depth) {
    distance++;
    const next = nextGeneration({ frontier, distance, makers, found });
    frontier = addMarked(next, { distance, makers, found });
  }
  return { found, frontier };
}

function reachesBeyond({ found, frontier, makers }: Walked & { makers: Makers }): boolean {
  const last = new Set(frontier.flatMap((cid) => makers.get(cid) ?? []));
  const isBeyond = (cid: string) => !found.has(cid) && makers.has(cid);
  return [...last].some(({ inputs }) => inputs.some(isBeyond));
}

/** Whether a content is a marked copy. The bundle may lack the records of the original. */
function isCopy(cid: string, makers: Makers): boolean {
  const [maker, ...others] = makers.get(cid) ?? [];
  return maker?.marked !== undefined && others.length === 0;
}

/**
 * Returns the largest number of actions on a path from the root to one of these contents. On these paths, every action
 * counts. The path of a marked copy includes the action that made the copy, so it ends at the original.
 */
function countActions(ancestors: readonly Ancestor[], makers: Makers): number {
  const counts = new Map<string, number>();
  let largest = 0;
  for (const { cid, from } of ancestors) {
    const count = from === undefined ? 0 : (counts.get(from.cid) ?? 0) + 1;
    counts.set(cid, count);
    largest = Math.max(largest, isCopy(cid, makers) ? count + 1 : count);
  }
  return largest;
}

/** Returns the actions that made each content, by CID. */
export function makersOf(steps: readonly Step[]): Map<string, Step[]> {
  const makers = new Map<string, Step[]>();
  for (const step of steps) for (const cid of step.outputs) addTo(makers, cid, step);
  return makers;
}

/** Adds a value to the list of a key. */
export function addTo<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

interface Generation {
  distance: number;
  makers: Makers;
  found: Map<string, Ancestor>;
}

/** Returns the contents, then the originals of the marked copies among them. Also adds the originals to `found`. */
function addMarked(cids: readonly string[], { distance, makers, found }: Generation): string[] {
  const all = [...cids];
  // The loop also visits the contents that it adds.
  for (const cid of all) {
    const step = makers.get(cid)?.find(({ work }) => work !== undefined);
    if (step?.marked === undefined || found.has(step.marked)) continue;
    found.set(step.marked, { cid: step.marked, distance, from: { cid, actionId: step.id } });
    all.push(step.marked);
  }
  return all;
}

function nextGeneration({
  frontier,
  distance,
  makers,
  found,
}: Generation & Pick<Walked, 'frontier'>): string[] {
  const next = new Map<string, Ancestor>();
  const taken = new Set<Step>();
  for (const cid of frontier) {
    for (const step of makers.get(cid) ?? []) {
      if (taken.has(step)) continue;
      taken.add(step);
      const from = { cid, actionId: step.id };
      const fresh = step.inputs.filter((input) => !found.has(input) && !next.has(input));
      for (const input of fresh) next.set(input, { cid: input, distance, from });
    }
  }
  const cids = [...next.keys()].sort(compareCodePoints);
  for (const cid of cids) found.set(cid, next.get(cid) ?? { cid, distance });
  return cids;
}

/**
 * Throws `CyclicBundle` when the selected part of the lineage has a cycle. The graph has contents and actions as nodes.
 * So the time for an action grows with the sum of its inputs and outputs, not with their product.
 */
function refuseCycles(
  root: string,
  { makers, isFollowed }: { makers: Makers; isFollowed: (cid: string) => boolean },
): void {
  const follow = (node: string | Step): readonly (string | Step)[] => {
    if (typeof node !== 'string') return node.inputs;
    return isFollowed(node) ? (makers.get(node) ?? []) : [];
  };
  const incoming = new Map<string | Step, number>([[root, 0]]);
  for (const node of incoming.keys())
    for (const next of follow(node)) incoming.set(next, (incoming.get(next) ?? 0) + 1);
  // A node is visited after all nodes that lead to it. Nodes of a cycle are never visited (Kahn's algorithm).
  const ready: (string | Step)[] = incoming.get(root) === 0 ? [root] : [];
  for (const node of ready) {
    for (const next of follow(node)) {
      const left = (incoming.get(next) ?? 0) - 1;
      incoming.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  if (ready.length === incoming.size) return;
  const culprit = [...incoming].find(([node, count]) => count > 0 && typeof node === 'string')?.[0];
  throw new DistributionError(
    'CyclicBundle',
    `The bundle has a cycle: ${culprit} is its own ancestor, or an ancestor of a content that is its own ancestor.`,
  );
}
