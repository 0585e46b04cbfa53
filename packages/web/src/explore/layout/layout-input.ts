import type { History, HistoryNode } from '../history/history.js';

/** What a layout needs to know of a history, in a form that goes to a worker without being copied field by field. */
export interface LayoutInput {
  /** Of each node: its index in `KINDS`. */
  kinds: Uint8Array;
  /** Of each node that is an action: when it was done, in Unix milliseconds; else 0. */
  timesMs: Float64Array;
  /** Of each edge: index of the node where it starts, and where it ends. */
  from: Uint32Array;
  to: Uint32Array;
}

/** Kinds of nodes, by the number that stands for them. */
export const KINDS: readonly HistoryNode['kind'][] = ['resource', 'action', 'entity', 'tool'];
export const ACTION = 1;
const RESOURCE = 0;

/** The columns of a picture: an interval of time each. */
export interface TimeColumn {
  x: number;
  fromMs: number;
  toMs: number;
}

/** Where everything is, in units of one CSS pixel at zoom 1; y grows downwards. */
export interface Layout {
  /** Of each node: its centre. */
  x: Float32Array;
  y: Float32Array;
  /** Of each edge: where its points between start and end begin in `bends`; one more at the end. */
  bendStarts: Uint32Array;
  /** x and y of each of these points by turns: edges go through them level, from left to right. */
  bends: Float32Array;
  /** Of each edge: 1 when it would cross the whole picture, so that it is drawn with one of its ends alone. */
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

/** Sizes of what is drawn. */
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

/** Whether an edge says what an action used or made; the others say who took part, and with what. */
export function isFlow({ kinds }: LayoutInput, from: number, to: number): boolean {
  const pair = [kinds[from], kinds[to]];
  return pair.includes(ACTION) && pair.includes(RESOURCE);
}
