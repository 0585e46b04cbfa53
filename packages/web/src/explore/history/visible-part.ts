import type { History } from './history.js';

/** `hidden`: number of contents and actions that each folded node hides, by its id. */
export interface VisiblePart {
  history: History;
  hidden: ReadonlyMap<string, number>;
}

/** Removes the nodes that only paths through folded nodes reach. `only`: the other nodes to keep besides the focus. */
export function visiblePart(
  history: History,
  { folded, only }: { folded: ReadonlySet<string>; only?: ReadonlySet<number> },
): VisiblePart {
  const flow = neighboursOf(history, isFlow);
  const isFolded = (index: number) => folded.has(history.nodes[index]?.id ?? '');
  const seen = reach(history.focus, flow, (index) => index === history.focus || !isFolded(index));
  const shown = new Set(seen);
  for (const { from, to, kind } of history.edges) if (!isFlow(kind) && seen.has(to)) shown.add(from);
  const hidden = new Map<string, number>();
  for (const index of seen) {
    if (index === history.focus || !isFolded(index)) continue;
    const behind = reach(index, flow, (other) => other === index || !seen.has(other));
    const count = [...behind].filter((other) => !seen.has(other)).length;
    if (count > 0) hidden.set(history.nodes[index]?.id ?? '', count);
  }
  const kept = only && new Set([...only, history.focus]);
  return { history: keep(history, kept ? new Set([...shown].filter((i) => kept.has(i))) : shown), hidden };
}

/** Returns the distance of each node from the focus, in actions. */
export function stepsAway(history: History): number[] {
  const flow = neighboursOf(history, isFlow);
  const steps = history.nodes.map(() => Number.POSITIVE_INFINITY);
  steps[history.focus] = 0;
  const queue = [history.focus];
  for (const index of queue) {
    const step = (steps[index] ?? 0) + (history.nodes[index]?.kind === 'action' ? 0 : 1);
    for (const next of flow[index] ?? []) {
      if (steps[next] !== Number.POSITIVE_INFINITY) continue;
      steps[next] = step;
      queue.push(next);
    }
  }
  for (const { from, to, kind } of history.edges)
    if (!isFlow(kind)) steps[from] = Math.min(steps[from] ?? 0, steps[to] ?? 0);
  return steps;
}

/** Hides nodes more than `steps` actions away. */
export function foldBeyond(history: History, steps: number): Set<string> {
  const away = stepsAway(history);
  return new Set(
    history.nodes
      .filter(({ kind }, index) => kind === 'resource' && index !== history.focus && away[index] === steps)
      .map(({ id }) => id),
  );
}

/** Other edges belong to people and tools. */
export function isFlow(kind: History['edges'][number]['kind']): boolean {
  return kind === 'consumes' || kind === 'produces';
}

export function neighboursOf(
  { nodes, edges }: History,
  wanted: (kind: History['edges'][number]['kind']) => boolean,
): number[][] {
  const neighbours: number[][] = nodes.map(() => []);
  for (const { from, to, kind } of edges) {
    if (!wanted(kind)) continue;
    neighbours[from]?.push(to);
    neighbours[to]?.push(from);
  }
  return neighbours;
}

function reach(start: number, neighbours: number[][], goesOn: (index: number) => boolean): Set<number> {
  const seen = new Set([start]);
  for (const index of seen) {
    if (!goesOn(index)) continue;
    for (const next of neighbours[index] ?? []) seen.add(next);
  }
  return seen;
}

function keep({ nodes, edges, focus }: History, shown: ReadonlySet<number>): History {
  const renumbered = new Map([...shown].sort((a, b) => a - b).map((old, index) => [old, index]));
  return {
    nodes: nodes.filter((_, index) => shown.has(index)),
    edges: edges.flatMap(({ from, to, kind }) => {
      const [start, end] = [renumbered.get(from), renumbered.get(to)];
      return start === undefined || end === undefined ? [] : [{ from: start, to: end, kind }];
    }),
    focus: renumbered.get(focus) ?? 0,
  };
}
