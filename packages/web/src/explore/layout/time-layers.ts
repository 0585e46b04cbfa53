import { ACTION, isFlow, type LayoutInput } from './layout-input.js';

/** The layer of each node from left to right: actions in odd layers, other nodes in even layers. */
export interface TimeLayers {
  layerOf: Int32Array;
  count: number;
}

/** The choices for how many layers an action may move back. The first choice with a narrow enough picture is used. */
const SLACKS = [0, 2, 6, 20, 60];
/** The maximum number of layers: the largest of a constant, a share of the rows, and a multiple of the fewest layers. */
const WIDEST = { least: 12, ofRows: 0.5, ofFewest: 1.3 };

/**
 * Assigns layers in the order of time. Actions go, oldest first, into the current layer until one of them uses an
 * output of that layer, or until it has `rowsMost` actions. Every layer of actions is an interval of time, and inputs
 * are left of outputs. Parallel work would make many layers of few actions each: actions then move back by as few
 * layers as make the picture narrower, and neighbouring layers overlap in time. Content comes right after the
 * action that first made it. Content without a maker, people and tools come right before their first use.
 */
export function toTimeLayers(input: LayoutInput, rowsMost: number): TimeLayers {
  const ranks = rankActions(input);
  const firstMaker = findFirstMakers(input, ranks);
  const makersOf = findMakersOfInputs(input, firstMaker);
  const order = [...inOrderOfUse(ranks, makersOf)];
  const layerOf = new Int32Array(input.kinds.length).fill(-1);
  const place = (slack: number) => placeActions(layerOf, { order, makersOf, rowsMost, slack });
  const fewest = place(Number.POSITIVE_INFINITY);
  const most = Math.max(WIDEST.least, rowsMost * WIDEST.ofRows, fewest * WIDEST.ofFewest);
  if (!SLACKS.some((slack) => place(slack) <= most)) place(Number.POSITIVE_INFINITY);
  firstMaker.forEach((maker, node) => {
    if (maker >= 0) layerOf[node] = (layerOf[maker] ?? 0) + 1;
  });
  placeBeforeUse(layerOf, input, firstMaker);
  return {
    layerOf: layerOf.map((layer) => Math.max(0, layer)),
    count: layerOf.reduce((most, layer) => Math.max(most, layer), 0) + 1,
  };
}

interface Ordered {
  order: readonly number[];
  makersOf: ReadonlyMap<number, number[]>;
  rowsMost: number;
  slack: number;
}

/** The number of layers of actions. */
function placeActions(layerOf: Int32Array, { order, makersOf, rowsMost, slack }: Ordered): number {
  const sizes: number[] = [];
  const columnOf = new Map<number, number>();
  for (const action of order) {
    const makers = (makersOf.get(action) ?? []).map((maker) => columnOf.get(maker) ?? -1);
    const earliest = Math.max(0, sizes.length - 1 - slack);
    let column = Math.max(earliest, ...makers.map((maker) => maker + 1));
    while ((sizes[column] ?? 0) >= rowsMost) column += 1;
    sizes[column] = (sizes[column] ?? 0) + 1;
    columnOf.set(action, column);
    layerOf[action] = 2 * column + 1;
  }
  return sizes.length;
}

/** Nodes without a maker go right before their first use; a person who is only credited, before the content is made. */
function placeBeforeUse(layerOf: Int32Array, { kinds, from, to }: LayoutInput, firstMaker: Int32Array): void {
  const isFree = (node: number) => kinds[node] !== ACTION && (firstMaker[node] ?? -1) < 0;
  const before = (node: number, layer: number) => {
    const known = layerOf[node] ?? -1;
    layerOf[node] = Math.max(0, known < 0 ? layer : Math.min(known, layer));
  };
  const uses = Array.from(from, (start, edge) => ({ start, end: to[edge] ?? 0 })).filter(({ start }) =>
    isFree(start),
  );
  for (const { start, end } of uses) if (kinds[end] === ACTION) before(start, (layerOf[end] ?? 0) - 1);
  for (const { start, end } of uses)
    if (kinds[end] !== ACTION && (layerOf[start] ?? -1) < 0) before(start, (layerOf[end] ?? 0) - 2);
}

/** The actions, oldest first; actions of the same instant keep the given order. */
function rankActions({ kinds, timesMs }: LayoutInput): number[] {
  const actions = Array.from(kinds.keys()).filter((node) => kinds[node] === ACTION);
  return actions.sort((a, b) => (timesMs[a] ?? 0) - (timesMs[b] ?? 0) || a - b);
}

function findFirstMakers(input: LayoutInput, ranks: readonly number[]): Int32Array {
  const { kinds, from, to } = input;
  const rankOf = new Map(ranks.map((action, rank) => [action, rank]));
  const makers = new Int32Array(kinds.length).fill(-1);
  from.forEach((start, edge) => {
    const end = to[edge] ?? 0;
    if (kinds[start] !== ACTION || !isFlow(input, start, end)) return;
    const known = makers[end] ?? -1;
    if (known < 0 || (rankOf.get(start) ?? 0) < (rankOf.get(known) ?? 0)) makers[end] = start;
  });
  return makers;
}

/** For each action: the actions that made its inputs. */
function findMakersOfInputs(input: LayoutInput, firstMaker: Int32Array): Map<number, number[]> {
  const makersOf = new Map<number, number[]>();
  input.from.forEach((start, edge) => {
    const end = input.to[edge] ?? 0;
    const maker = firstMaker[start] ?? -1;
    if (maker < 0 || input.kinds[end] !== ACTION || !isFlow(input, start, end)) return;
    const list = makersOf.get(end);
    if (list === undefined) makersOf.set(end, [maker]);
    else list.push(maker);
  });
  return makersOf;
}

/** Orders actions by time, but a maker before a user, whatever their clocks say. A cycle is cut where it is found. */
function inOrderOfUse(ranks: readonly number[], makersOf: ReadonlyMap<number, number[]>): Set<number> {
  const done = new Set<number>();
  const begun = new Set<number>();
  for (const action of ranks) {
    const stack = [action];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const isNew = !begun.has(top);
      begun.add(top);
      const next = isNew ? (makersOf.get(top) ?? []).filter((maker) => !begun.has(maker)) : [];
      if (next.length > 0) stack.push(...next);
      else {
        stack.pop();
        done.add(top);
      }
    }
  }
  return done;
}
