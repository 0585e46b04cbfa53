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

/** `from`: the next content on the shortest path to the requested content, and the action that made it. */
export interface Ancestor {
  cid: string;
  /**
   * The number of actions between this content and the requested content. The action that made a marked copy does not
   * count for the original (see `walkLineage`).
   */
  distance: number;
  from?: { cid: string; actionId: string };
}

/** Nearest first, then in code-point order. The originals of marked copies follow the contents of the same distance. */
export interface Lineage {
  ancestors: Ancestor[];
  /** The bundle has an action beyond the requested depth. */
  reachesBeyond: boolean;
}

/** An action with canonical CIDs. */
export interface Step {
  id: string;
  inputs: string[];
  outputs: string[];
  /** The original, if the action made a marked copy. */
  marked?: string | undefined;
  /** The original that gets the credits of the copy. See `withWorks`. */
  work?: string | undefined;
}

export function canonicalNames({ aliases = {} }: LineageBundle): (cid: string) => string {
  const names = new Map(Object.entries(aliases));
  return (cid) => names.get(cid) ?? cid;
}

/** Omits corrected actions and their attributions. */
export function withoutCorrected(bundle: LineageBundle): LineageBundle {
  const corrected = correctedActions(bundle.actions, bundle.aliases);
  if (corrected.size === 0) return bundle;
  return {
    ...bundle,
    actions: bundle.actions.filter(({ id }) => !corrected.has(id)),
    attributions: bundle.attributions.filter(({ actionId = '' }) => !corrected.has(actionId)),
  };
}

/** Returns the actions of the bundle, in the code-point order of their ids. */
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
 * Returns `root` and the contents that it was made from, up to `depth` actions away, each with its smallest distance.
 * An action with a `work` does not count in the distance of the original. Throws `CyclicBundle` for a cycle.
 *
 * Of several shortest paths, `from` names the next content that is first in `ancestors`, and its first action in
 * code-point order.
 */
export function walkLineage(root: string, steps: readonly Step[], depth: number): Lineage {
  const makers = makersOf(steps);
  const { found, frontier } = walk(root, makers, depth);
  refuseCycles(root, { makers, isFollowed: (cid) => (found.get(cid)?.distance ?? depth) < depth });
  const ancestors = [...found.values()];
  if (!ancestors.some(({ cid }) => isCopy(cid, makers)))
    return { ancestors, reachesBeyond: reachesBeyond({ found, frontier, makers }) };
  // The depth of a bundle counts every action, also those that made marked copies.
  const plain = makersOf(steps.map((step) => ({ ...step, work: undefined })));
  const reached = walk(root, plain, countActions(ancestors, makers));
  return { ancestors, reachesBeyond: reachesBeyond({ ...reached, makers: plain }) };
}

type Makers = ReadonlyMap<string, readonly Step[]>;

interface Walked {
  found: Map<string, Ancestor>;
  /** Empty if the walk ended before the requested depth. */
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

/** The bundle may lack the records of the original. */
function isCopy(cid: string, makers: Makers): boolean {
  const [maker, ...others] = makers.get(cid) ?? [];
  return maker?.marked !== undefined && others.length === 0;
}

/** Returns the largest number of actions on a path from the root. The action that made a marked copy counts too. */
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

/** Maps a CID to the steps that made the content. */
export function makersOf(steps: readonly Step[]): Map<string, Step[]> {
  const makers = new Map<string, Step[]>();
  for (const step of steps) for (const cid of step.outputs) addTo(makers, cid, step);
  return makers;
}

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

/** Returns the contents, and the originals of those that are marked copies. Adds the originals to `found` too. */
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
 * Throws `CyclicBundle`. Contents and actions are nodes, so the time for an action grows with the sum of its inputs and
 * outputs, not with their product.
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
  // Nodes of a cycle are never visited (Kahn's algorithm).
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
