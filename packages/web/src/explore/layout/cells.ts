import { ACTION, CARD_HEIGHTS, isFlow, KINDS, type LayoutInput } from './layout-input.js';
import type { TimeLayers } from './time-layers.js';

/**
 * A cell is a node or a bend. The first numbers belong to the nodes. An edge with bends has one bend in each layer
 * between its ends.
 */
export interface Cells {
  layers: number[][];
  height: number[];
  /** The neighbours of each cell, each followed by its weight. */
  left: number[][];
  right: number[][];
  /** The bends of an edge, from left to right. */
  bends: Map<number, number[]>;
  /** Edges that are drawn only while one of their ends is selected or under the pointer. */
  quiet: Set<number>;
}

/** Up to this number of nodes, edges of people and tools have bends too. */
const SMALL_HISTORY = 40;
/** Bends per node, on average. A small history may have more. */
const MOST_BENDS = 1.5;
const WEIGHT = { flow: 1, bend: 4, part: 0.2 };

/** In each layer, the nodes keep the order of the input. */
export function toCells(input: LayoutInput, { layerOf, count }: TimeLayers): Cells {
  const layers: number[][] = Array.from({ length: count }, () => []);
  const cells: Cells = { layers, height: [], left: [], right: [], bends: new Map(), quiet: new Set() };
  for (const [node, kind] of input.kinds.entries())
    addCell(cells, layerOf[node] ?? 0, CARD_HEIGHTS[KINDS[kind] ?? 'resource']);
  const spanOf = (edge: number) =>
    (layerOf[input.to[edge] ?? 0] ?? 0) - (layerOf[input.from[edge] ?? 0] ?? 0);
  const longest = longestBentSpan(input, spanOf);
  for (const edge of input.from.keys()) {
    if (input.aside[edge] === 1) cells.quiet.add(edge);
    else if (spanOf(edge) > 0) addEdge(cells, edge, { input, layerOf, longest });
  }
  return cells;
}

function addEdge(
  cells: Cells,
  edge: number,
  { input, layerOf, longest }: { input: LayoutInput; layerOf: Int32Array; longest: number },
): void {
  const [start, end] = [input.from[edge] ?? 0, input.to[edge] ?? 0];
  const span = (layerOf[end] ?? 0) - (layerOf[start] ?? 0);
  const flows = isFlow(input, start, end);
  const mayBend = span > 1 && span <= longest && (flows || input.kinds.length <= SMALL_HISTORY);
  if (mayBend) bend(cells, edge, [start, end, layerOf[start] ?? 0, span]);
  else if (flows || (span === 1 && input.kinds[end] === ACTION))
    join(cells, [start, end], flows ? WEIGHT.flow : WEIGHT.part);
  else cells.quiet.add(edge);
}

/** Returns the maximum length of edges with bends, in layers. It limits the total number of bends. */
function longestBentSpan(input: LayoutInput, spanOf: (edge: number) => number): number {
  const edgesOfSpan: number[] = [];
  for (const edge of input.from.keys()) {
    const span = spanOf(edge);
    if (span > 1 && isFlow(input, input.from[edge] ?? 0, input.to[edge] ?? 0))
      edgesOfSpan[span] = (edgesOfSpan[span] ?? 0) + 1;
  }
  let left = Math.max(SMALL_HISTORY * 4, input.kinds.length * MOST_BENDS);
  for (let span = 2; span < edgesOfSpan.length; span++) {
    left -= (edgesOfSpan[span] ?? 0) * (span - 1);
    if (left < 0) return span - 1;
  }
  return Number.POSITIVE_INFINITY;
}

function addCell(cells: Cells, layer: number, height: number): number {
  const cell = cells.height.push(height) - 1;
  cells.left.push([]);
  cells.right.push([]);
  cells.layers[layer]?.push(cell);
  return cell;
}

function bend(cells: Cells, edge: number, [start, end, layer, span]: [number, number, number, number]): void {
  const bends = Array.from({ length: span - 1 }, (_, step) => addCell(cells, layer + step + 1, 0));
  const way = [start, ...bends, end];
  for (const [step, cell] of way.slice(1).entries())
    join(cells, [way[step] ?? start, cell], step === 0 || cell === end ? WEIGHT.flow : WEIGHT.bend);
  cells.bends.set(edge, bends);
}

function join(cells: Cells, [from, to]: [number, number], weight: number): void {
  cells.right[from]?.push(to, weight);
  cells.left[to]?.push(from, weight);
}
