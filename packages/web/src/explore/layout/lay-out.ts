import { type Cells, toCells } from './cells.js';
import {
  ACTION,
  type Bounds,
  CARD_WIDTH,
  type Layout,
  type LayoutInput,
  type TimeColumn,
} from './layout-input.js';
import { placeRows } from './place-rows.js';
import { type TimeLayers, toTimeLayers } from './time-layers.js';

const LAYER_GAP = 52;
const STACK_GAP = 20;
const ROW_GAP = 18;
const BEND_HEIGHT = 12;
const SWEEPS = 10;
/** The maximum number of rows is sqrt(nodes * factor), about the proportions of a screen. */
const ROWS_FACTOR = 2;
const ROWS_LEAST = 6;

/**
 * Lays out a history in layers by time (see `toTimeLayers`), and moves the cells near their neighbours in sweeps to the
 * right and to the left. The layout is deterministic.
 */
export function layOut(input: LayoutInput): Layout {
  const rowsMost = Math.max(ROWS_LEAST, Math.ceil(Math.sqrt(input.kinds.length * ROWS_FACTOR)));
  const layers = toTimeLayers(input, rowsMost);
  const cells = toCells(input, layers);
  const stacks = cells.layers.map((layer) => stacksOf(layer, input.kinds.length, rowsMost));
  const rows = arrange(cells, stacks);
  const lefts = placeLayers(stacks);
  const x = new Float32Array(input.kinds.length);
  for (const [index, layer] of cells.layers.entries()) {
    const nodes = layer.filter((cell) => cell < x.length);
    for (const [rank, node] of nodes.entries())
      x[node] =
        (lefts[index] ?? 0) + CARD_WIDTH / 2 + (rank % (stacks[index] ?? 1)) * (CARD_WIDTH + STACK_GAP);
  }
  const y = Float32Array.from(rows.slice(0, x.length));
  return {
    x,
    y,
    ...placeBends(cells, { rows, lefts, stacks, edges: input.from.length, layers }),
    quiet: Uint8Array.from(input.from, (_, edge) => (cells.quiet.has(edge) ? 1 : 0)),
    columns: toColumns(input, layers, x),
    bounds: boundsOf({ x, y, heights: cells.height }),
  };
}

function stacksOf(layer: readonly number[], nodes: number, rowsMost: number): number {
  return Math.max(1, Math.ceil(layer.filter((cell) => cell < nodes).length / (rowsMost * 1.3)));
}

/** Returns the row of each cell, and sorts `cells.layers` from top to bottom. */
function arrange(cells: Cells, stacks: readonly number[]): number[] {
  const rows = cells.height.map(() => 0);
  const wanted = new Float64Array(rows.length);
  const last = cells.layers.length - 1;
  for (let index = 0; index <= last; index++) settle(index, () => 0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForward = sweep % 2 === 0;
    const isFinal = sweep >= SWEEPS - 2;
    for (let step = 0; step <= last; step++) {
      settle(isForward ? step : last - step, (cell) => {
        const sides = isFinal
          ? [cells.left[cell], cells.right[cell]]
          : [(isForward ? cells.left : cells.right)[cell]];
        return meanRow(rows, sides) ?? rows[cell] ?? 0;
      });
    }
  }
  return rows;

  function settle(index: number, wantedOf: (cell: number) => number): void {
    const layer = cells.layers[index] ?? [];
    const stack = stacks[index] ?? 1;
    for (const cell of layer) wanted[cell] = wantedOf(cell);
    layer.sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
    const highest = layer.reduce((most, cell) => Math.max(most, cells.height[cell] ?? 0), 0);
    const extents = layer.map((cell) => {
      const height = cells.height[cell] ?? 0;
      return (height === 0 ? BEND_HEIGHT : (stack > 1 ? highest : height) + ROW_GAP) / stack;
    });
    const gaps = extents.map((extent, rank) => (extent + (extents[rank - 1] ?? 0)) / 2);
    const placed = placeRows(
      layer.map((cell) => wanted[cell] ?? 0),
      gaps,
    );
    for (const [rank, cell] of layer.entries()) rows[cell] = placed[rank] ?? 0;
  }
}

function meanRow(rows: readonly number[], sides: (readonly number[] | undefined)[]): number | undefined {
  let [sum, total] = [0, 0];
  for (const side of sides) {
    for (let index = 0; side !== undefined && index < side.length; index += 2) {
      const weight = side[index + 1] ?? 0;
      sum += (rows[side[index] ?? 0] ?? 0) * weight;
      total += weight;
    }
  }
  return total === 0 ? undefined : sum / total;
}

function widthOf(stack: number): number {
  return stack * CARD_WIDTH + (stack - 1) * STACK_GAP;
}

function placeLayers(stacks: readonly number[]): number[] {
  let next = 0;
  return stacks.map((stack) => {
    const left = next;
    next += widthOf(stack) + LAYER_GAP;
    return left;
  });
}

interface Placed {
  rows: readonly number[];
  lefts: readonly number[];
  stacks: readonly number[];
  edges: number;
  layers: TimeLayers;
}

/** Two points for each bend, so that the edge crosses the layer horizontally. */
function placeBends(
  cells: Cells,
  { rows, lefts, stacks, edges }: Placed,
): Pick<Layout, 'bends' | 'bendStarts'> {
  const layerOf = new Map(cells.layers.flatMap((layer, index) => layer.map((cell) => [cell, index])));
  const bendStarts = new Uint32Array(edges + 1);
  const bends: number[] = [];
  for (let edge = 0; edge < edges; edge++) {
    bendStarts[edge] = bends.length / 2;
    for (const cell of cells.bends.get(edge) ?? []) {
      const layer = layerOf.get(cell) ?? 0;
      const [left, row] = [lefts[layer] ?? 0, rows[cell] ?? 0];
      bends.push(left, row, left + widthOf(stacks[layer] ?? 1), row);
    }
  }
  bendStarts[edges] = bends.length / 2;
  return { bendStarts, bends: Float32Array.from(bends) };
}

function toColumns({ kinds, timesMs }: LayoutInput, { layerOf }: TimeLayers, x: Float32Array): TimeColumn[] {
  const columns: TimeColumn[] = [];
  for (const [node, kind] of kinds.entries()) {
    if (kind !== ACTION) continue;
    const time = timesMs[node] ?? 0;
    const layer = layerOf[node] ?? 0;
    const { fromMs, toMs, x: left } = columns[layer] ?? { fromMs: time, toMs: time, x: x[node] ?? 0 };
    columns[layer] = {
      x: Math.min(left, x[node] ?? 0),
      fromMs: Math.min(fromMs, time),
      toMs: Math.max(toMs, time),
    };
  }
  return columns.filter((column) => column !== undefined);
}

function boundsOf({
  x,
  y,
  heights,
}: {
  x: Float32Array;
  y: Float32Array;
  heights: readonly number[];
}): Bounds {
  const bounds = { left: 0, top: 0, right: CARD_WIDTH, bottom: 0 };
  for (const [node, row] of y.entries()) {
    const half = (heights[node] ?? 0) / 2;
    bounds.top = Math.min(bounds.top, row - half);
    bounds.bottom = Math.max(bounds.bottom, row + half);
    bounds.right = Math.max(bounds.right, (x[node] ?? 0) + CARD_WIDTH / 2);
  }
  return bounds;
}
