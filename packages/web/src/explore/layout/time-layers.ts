import { ACTION, isFlow, type LayoutInput } from './layout-input.js';

/** Actions are in odd layers, other nodes in even layers. */
export interface TimeLayers {
  layerOf: Int32Array;
  count: number;
}

/** Layers by which an action may move back. The first number that makes the picture narrow enough is used. */
const SLACKS = [0, 2, 6, 20, 60];
/**
 * Maximum number of layers of actions: the largest of `least`, `ofRows` times the rows, and `ofFewest` times the
 * smallest possible number.
 */
const WIDEST = { least: 12, ofRows: 0.5, ofFewest: 1.3 };

/**
 * Assigns layers by time, oldest first. A new layer begins when an action uses an output of the current layer, or when
 * the layer has `rowsMost` actions. Parallel work would create many layers, so an action may move back, but stays after
 * the makers of its inputs. A content follows the first action that made it; people, tools and contents without a maker
 * precede their first use.
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

/** Returns the number of layers of actions. */
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

/** A person whose only edge is a credit for a content is placed before the action that made it. */
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

/** Oldest first. Actions of the same instant stay in the order of the input. */
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
    if (kinds[start] !== ACTION || kinds[end] === ACTION || !isFlow(input, start, end)) return;
    const known = makers[end] ?? -1;
    if (known < 0 || (rankOf.get(start) ?? 0) < (rankOf.get(known) ?? 0)) makers[end] = start;
  });
  return makers;
}

function findMakersOfInputs(input: LayoutInput, firstMaker: Int32Array): Map<number, number[]> {
  const makersOf = new Map<number, number[]>();
  input.from.forEach((start, edge) => {
    const end = input.to[edge] ?? 0;
    if (input.aside[edge] === 1) return;
    const maker = input.kinds[start] === ACTION ? start : (firstMaker[start] ?? -1);
    if (maker < 0 || input.kinds[end] !== ACTION || !isFlow(input, start, end)) return;
    const list = makersOf.get(end);
    if (list === undefined) makersOf.set(end, [maker]);
    else list.push(maker);
  });
  return makersOf;
}

/** Sorts actions by time, but puts an action before those that use its outputs. Breaks cycles. */
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
