import type { History, HistoryNode } from '../history/history.js';

/** The input of a layout, as arrays that are transferred to a worker without a copy per field. */
export interface LayoutInput {
  /** For each node: its index in `KINDS`. */
  kinds: Uint8Array;
  /** For each action: its time in Unix milliseconds; 0 for other nodes. */
  timesMs: Float64Array;
  /** For each edge: the indexes of its start node and its end node. */
  from: Uint32Array;
  to: Uint32Array;
}

/** Kinds of nodes; the index is the number of the kind. */
export const KINDS: readonly HistoryNode['kind'][] = ['resource', 'action', 'entity', 'tool'];
export const ACTION = 1;
const RESOURCE = 0;

/** The columns of a picture; each is an interval of time. */
export interface TimeColumn {
  x: number;
  fromMs: number;
  toMs: number;
}

/** The positions of nodes and edges, in CSS pixels at zoom 1; y grows downwards. */
export interface Layout {
  /** For each node: its centre. */
  x: Float32Array;
  y: Float32Array;
  /** For each edge: the index in `bends` of its first inner point; one more entry at the end. */
  bendStarts: Uint32Array;
  /** The inner points, x and y alternate. Edges pass through them horizontally, from left to right. */
  bends: Float32Array;
  /** For each edge: 1 if it would cross the whole picture; it is then drawn for a selected end alone. */
  quiet: Uint8Array;
  columns: TimeColumn[];
  bounds: Bounds;
}

export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Sizes of the drawn items. */
export const CARD_WIDTH = 164;
export const CARD_HEIGHTS: Record<HistoryNode['kind'], number> = {
  resource: 60,
  action: 52,
  entity: 40,
  tool: 40,
};

export function toLayoutInput({ nodes, edges }: History): LayoutInput {
  return {
    kinds: Uint8Array.from(nodes, ({ kind }) => KINDS.indexOf(kind)),
    timesMs: Float64Array.from(nodes, (node) =>
      node.kind === 'action' ? Date.parse(node.action.timestamp) : 0,
    ),
    from: Uint32Array.from(edges, ({ from }) => from),
    to: Uint32Array.from(edges, ({ to }) => to),
  };
}

/** Whether an edge shows an input or output of an action; other edges show participants and tools. */
export function isFlow({ kinds }: LayoutInput, from: number, to: number): boolean {
  const pair = [kinds[from], kinds[to]];
  return pair.includes(ACTION) && pair.includes(RESOURCE);
}
