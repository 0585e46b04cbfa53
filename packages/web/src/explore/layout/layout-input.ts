import type { History, HistoryNode } from '../history/history.js';

/** Flat arrays are cheap to send to a worker. */
export interface LayoutInput {
  /** The index of each node in `KINDS`. A group has the index of an action. */
  kinds: Uint8Array;
  /** The time of each action and group in Unix milliseconds; 0 for other nodes. */
  timesMs: Float64Array;
  /** `from` and `to`: the indexes of the nodes of each edge. */
  from: Uint32Array;
  to: Uint32Array;
  /** 1 for each edge that does not influence the layout. */
  aside: Uint8Array;
}

export const KINDS: readonly HistoryNode['kind'][] = ['resource', 'action', 'entity', 'tool', 'group'];
export const ACTION = 1;
const RESOURCE = 0;

export interface TimeColumn {
  x: number;
  fromMs: number;
  toMs: number;
}

/** Positions are in CSS pixels at zoom 1. y grows downwards. */
export interface Layout {
  /** The centre of each node. */
  x: Float32Array;
  y: Float32Array;
  /** The index of the first point of each edge in `bends`. One more entry has the total number of points. */
  bendStarts: Uint32Array;
  /** Inner points of the edges, from left to right. x and y alternate. */
  bends: Float32Array;
  /** 1 for each edge that is drawn only while one of its ends is selected or under the pointer. */
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

export const CARD_WIDTH = 188;
export const CARD_HEIGHTS: Record<HistoryNode['kind'], number> = {
  resource: 60,
  action: 52,
  entity: 40,
  tool: 40,
  group: 52, // the layout treats a group as an action
};

export function toLayoutInput({ nodes, edges }: History): LayoutInput {
  return {
    kinds: Uint8Array.from(nodes, ({ kind }) => (kind === 'group' ? ACTION : KINDS.indexOf(kind))),
    timesMs: Float64Array.from(nodes, timeOf),
    from: Uint32Array.from(edges, ({ from }) => from),
    to: Uint32Array.from(edges, ({ to }) => to),
    aside: Uint8Array.from(edges, ({ isAside }) => (isAside ? 1 : 0)),
  };
}

function timeOf(node: HistoryNode): number {
  if (node.kind === 'action') return Date.parse(node.action.timestamp);
  return node.kind === 'group' ? node.group.fromMs : 0;
}

/** Whether an edge joins an action and a content, or two actions. Other edges belong to people and tools. */
export function isFlow({ kinds }: LayoutInput, from: number, to: number): boolean {
  const pair = [kinds[from], kinds[to]];
  return pair.includes(ACTION) && (pair.includes(RESOURCE) || pair[0] === pair[1]);
}
