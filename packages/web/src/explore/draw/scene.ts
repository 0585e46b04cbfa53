import type { History, HistoryNode } from '../history/history.js';
import { type Label, toLabels } from '../history/labels.js';
import { type Bounds, CARD_HEIGHTS, CARD_WIDTH, type Layout } from '../layout/layout-input.js';
import { createNodeGrid, type NodeGrid } from './node-grid.js';

export interface LabelledHistory {
  history: History;
  labels: readonly Label[];
  /** The edges of each node. */
  edgesOf: readonly number[][];
}

/** A history with all data of the drawing, made once for each layout. */
export interface Scene extends LabelledHistory {
  layout: Layout;
  grid: NodeGrid;
  boxOf: (node: number) => Bounds;
  /** The points of each edge. x and y alternate. */
  lines: readonly number[][];
  extents: readonly Bounds[];
}

/** `lit`: the nodes that match the filter; undefined without a filter. */
export interface Marks {
  lit?: ReadonlySet<number> | undefined;
  found: ReadonlySet<number>;
  selected?: number | undefined;
  hovered?: number | undefined;
  /** Number of nodes that each folded node hides, by its id. */
  hidden: ReadonlyMap<string, number>;
}

export function toScene(history: History, layout: Layout): Scene {
  const boxOf = (node: number): Bounds => {
    const [x, y] = [layout.x[node] ?? 0, layout.y[node] ?? 0];
    const half = CARD_HEIGHTS[history.nodes[node]?.kind ?? 'resource'] / 2;
    return { left: x - CARD_WIDTH / 2, right: x + CARD_WIDTH / 2, top: y - half, bottom: y + half };
  };
  const lines = history.edges.map(({ from, to }, edge) => lineOf(layout, edge, [boxOf(from), boxOf(to)]));
  return {
    history,
    layout,
    labels: toLabels(history),
    grid: createNodeGrid(history.nodes.length, boxOf),
    boxOf,
    lines,
    extents: lines.map(extentOf),
    edgesOf: edgesOfNodes(history),
  };
}

/** Returns the newest action, or group of actions, that made a content. */
export function newestStepTo(content: number, { nodes, edges }: History): number | undefined {
  const steps = edges.filter(({ to, kind }) => to === content && kind === 'produces');
  return steps
    .map(({ from }) => ({ from, timeMs: timeOf(nodes[from]) }))
    .reduce<{ from: number; timeMs: number } | undefined>(
      (newest, step) => (newest === undefined || step.timeMs > newest.timeMs ? step : newest),
      undefined,
    )?.from;
}

function timeOf(node: HistoryNode | undefined): number {
  if (node?.kind === 'action') return Date.parse(node.action.timestamp);
  return node?.kind === 'group' ? Date.parse(node.group.actions.at(-1)?.timestamp ?? '') || 0 : 0;
}

export function edgesOfNodes({ nodes, edges }: History): number[][] {
  const edgesOf: number[][] = nodes.map(() => []);
  for (const [edge, { from, to }] of edges.entries()) {
    edgesOf[from]?.push(edge);
    edgesOf[to]?.push(edge);
  }
  return edgesOf;
}

function lineOf({ bendStarts, bends }: Layout, edge: number, [from, to]: [Bounds, Bounds]): number[] {
  const between = bends.subarray((bendStarts[edge] ?? 0) * 2, (bendStarts[edge + 1] ?? 0) * 2);
  return [from.right, (from.top + from.bottom) / 2, ...between, to.left, (to.top + to.bottom) / 2];
}

function extentOf(line: readonly number[]): Bounds {
  let [left, right] = [line[0] ?? 0, line.at(-2) ?? 0];
  if (left > right) [left, right] = [right - 160, left + 160];
  let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 1; index < line.length; index += 2) {
    top = Math.min(top, line[index] ?? 0);
    bottom = Math.max(bottom, line[index] ?? 0);
  }
  return { left, top, right, bottom };
}
