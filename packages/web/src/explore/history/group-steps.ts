import { chooseGroups, GROUP_LEAST, splitGroup } from './choose-groups.js';
import type { History, HistoryEdge, HistoryNode, StepGroup } from './history.js';
import { isFlow, neighboursOf, stepsAway } from './visible-part.js';

export interface GroupedHistory {
  history: History;
  /** Maps the id of each node in a group to the id of this group. */
  groupOf: ReadonlyMap<string, string>;
}

/** A smaller history is readable without groups. */
const GROUPED_FROM = 80;
/** Maximum number of actions and contents near the focus that stay single. */
const NEAR_MOST = 24;
/** With more people and tools, only those with an edge outside of all groups are shown. */
const PEOPLE_MOST = 12;

/**
 * Replaces similar actions and the contents between them with groups. The nodes nearest to the focus stay single.
 * `opened`: ids of groups whose members are drawn.
 */
export function groupSteps(history: History, opened: ReadonlySet<string>): GroupedHistory {
  if (history.nodes.length < GROUPED_FROM) return { history, groupOf: new Map() };
  const near = nearNodes(history);
  const far = history.nodes.flatMap((node, index) =>
    node.kind === 'action' && !near.has(index) ? [index] : [],
  );
  const groupOf = new Map<number, string>();
  const place = (id: string, members: readonly number[]) => {
    if (members.length < GROUP_LEAST) return;
    if (!opened.has(id)) for (const member of members) groupOf.set(member, id);
    else for (const [part, some] of splitGroup(members).entries()) place(`${id}/${part}`, some);
  };
  const { groups, periodOf } = chooseGroups(history, far);
  for (const members of groups)
    place(`group:${history.nodes[members[0] ?? 0]?.id}:${members.length}`, members);
  groupContents(history, { groupOf, near, opened });
  return {
    history: merge(history, { groupOf, periodOf }),
    groupOf: new Map([...groupOf].map(([index, id]) => [history.nodes[index]?.id ?? '', id])),
  };
}

/** Adds the ids of all groups that must open before the node `id` is drawn. */
export function openedFor(history: History, opened: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const all = new Set(opened);
  for (let group = groupSteps(history, all).groupOf.get(id); group !== undefined; ) {
    all.add(group);
    group = groupSteps(history, all).groupOf.get(id);
  }
  return all;
}

/** Returns the nodes within the largest distance that has at most `NEAR_MOST` actions and contents. */
function nearNodes(history: History): Set<number> {
  const away = stepsAway(history);
  const counts: number[] = [];
  for (const [index, { kind }] of history.nodes.entries()) {
    const steps = away[index] ?? Number.POSITIVE_INFINITY;
    if (Number.isFinite(steps) && (kind === 'action' || kind === 'resource'))
      counts[steps] = (counts[steps] ?? 0) + 1;
  }
  let [reach, total] = [0, 0];
  for (const [steps, count] of counts.entries()) {
    total += count ?? 0;
    if (total > NEAR_MOST) break;
    reach = steps;
  }
  const near = new Set([...away.keys()].filter((index) => (away[index] ?? 0) <= reach));
  const makers = neighboursOf(history, isFlow)[history.focus] ?? [];
  if (makers.length <= NEAR_MOST) for (const maker of makers) near.add(maker);
  return near;
}

/**
 * Puts each content into the group of the action that made it, or else of its only use. Other contents form groups with
 * the same uses.
 */
function groupContents(
  { nodes, edges }: History,
  {
    groupOf,
    near,
    opened,
  }: { groupOf: Map<number, string>; near: ReadonlySet<number>; opened: ReadonlySet<string> },
): void {
  const makers: number[][] = nodes.map(() => []);
  const users: number[][] = nodes.map(() => []);
  for (const { from, to, kind } of edges) {
    if (kind === 'produces') makers[to]?.push(from);
    if (kind === 'consumes') users[from]?.push(to);
  }
  const unmade = new Map<string, number[]>();
  const contents = nodes.flatMap((node, index) =>
    node.kind === 'resource' && !near.has(index) ? [index] : [],
  );
  for (const content of contents) {
    const made = makers[content] ?? [];
    const group = made.map((maker) => groupOf.get(maker)).find((id) => id !== undefined);
    if (group !== undefined) groupOf.set(content, group);
    if (made.length > 0) continue;
    const uses = [...new Set((users[content] ?? []).map((user) => groupOf.get(user) ?? String(user)))];
    const [only = ''] = uses;
    if (uses.length === 1 && only.startsWith('group:')) groupOf.set(content, only);
    else {
      const key = uses.sort().join(' ');
      const same = unmade.get(key);
      if (same === undefined) unmade.set(key, [content]);
      else same.push(content);
    }
  }
  for (const same of unmade.values()) {
    const id = `group:${nodes[same[0] ?? 0]?.id}:${same.length}`;
    if (same.length >= GROUP_LEAST && !opened.has(id)) for (const content of same) groupOf.set(content, id);
  }
}

function merge(
  { nodes, edges, focus }: History,
  { groupOf, periodOf }: { groupOf: ReadonlyMap<number, string>; periodOf: ReadonlyMap<number, number> },
): History {
  const members = new Map<string, number[]>();
  for (const [index, id] of groupOf) {
    const known = members.get(id);
    if (known === undefined) members.set(id, [index]);
    else known.push(index);
  }
  const firstUse = firstUses({ nodes, edges });
  const shown = shownNodes({ nodes, edges, focus }, groupOf);
  const merged: HistoryNode[] = shown.flatMap((index) => nodes[index] ?? []);
  const placeOf = new Map(shown.map((index, place) => [index, place]));
  for (const [id, indexes] of members) {
    const place = merged.push({ kind: 'group', id, group: toGroup({ nodes }, indexes, firstUse) }) - 1;
    for (const index of indexes) placeOf.set(index, place);
  }
  const periods = new Map([...periodOf].map(([index, period]) => [placeOf.get(index) ?? -1, period]));
  const isGroup = (place: number) => merged[place]?.kind === 'group';
  const joined = mergeEdges(edges, placeOf).map((edge) => {
    // The layout ignores edges between groups of one interval, so that they stay in one column.
    const [from, to] = [periods.get(edge.from), periods.get(edge.to)];
    const isAside = from !== undefined && from === to && (isGroup(edge.from) || isGroup(edge.to));
    return isAside ? { ...edge, isAside } : edge;
  });
  return { nodes: merged, edges: joined, focus: placeOf.get(focus) ?? 0 };
}

/** Returns the nodes to show. If there are many people and tools, omits those that have edges only to groups. */
function shownNodes({ nodes, edges }: History, groupOf: ReadonlyMap<number, string>): number[] {
  const isContent = (index: number) => ['action', 'resource'].includes(nodes[index]?.kind ?? '');
  const others = nodes.filter((_, index) => !isContent(index)).length;
  const wanted = new Set(
    edges.flatMap(({ from, to, kind }) => (isFlow(kind) || groupOf.has(to) ? [] : [from])),
  );
  return [...nodes.keys()].filter(
    (index) => !groupOf.has(index) && (isContent(index) || others <= PEOPLE_MOST || wanted.has(index)),
  );
}

/** Merges the edges between two nodes into one. If they have both directions, keeps the more frequent direction. */
function mergeEdges(edges: readonly HistoryEdge[], placeOf: ReadonlyMap<number, number>): HistoryEdge[] {
  const joined = new Map<string, HistoryEdge & { count: number }>();
  for (const edge of edges) {
    const [from, to] = [placeOf.get(edge.from), placeOf.get(edge.to)];
    if (from === undefined || to === undefined || from === to) continue;
    const key = `${from} ${to} ${isFlow(edge.kind)}`;
    const known = joined.get(key);
    if (known === undefined) joined.set(key, { from, to, kind: edge.kind, count: 1 });
    else known.count += 1;
  }
  return [...joined.values()].flatMap(({ from, to, kind, count }) => {
    const back = joined.get(`${to} ${from} ${isFlow(kind)}`)?.count ?? 0;
    return count > back || (count === back && from < to) ? [{ from, to, kind }] : [];
  });
}

function toGroup(
  { nodes }: Pick<History, 'nodes'>,
  members: readonly number[],
  firstUse: ReadonlyMap<number, number>,
): StepGroup {
  const of = members.flatMap((index) => nodes[index] ?? []);
  const actions = of
    .flatMap((node) => (node.kind === 'action' ? [node.action] : []))
    .sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
  const pictured = of.findLast((node) => node.kind === 'resource' && node.resource?.size !== undefined);
  const [first] = actions;
  const times =
    first !== undefined
      ? [Date.parse(first.timestamp)]
      : members.flatMap((index) => firstUse.get(index) ?? []);
  return {
    firstId: first === undefined ? (of[0]?.id ?? '') : `act:${first.id}`,
    actions,
    contents: of.length - actions.length,
    ...(pictured?.kind === 'resource' && pictured.resource !== undefined
      ? { pictured: { cid: pictured.cid, resource: pictured.resource } }
      : {}),
    fromMs: times.length === 0 ? 0 : times.reduce((least, time) => Math.min(least, time)),
  };
}

function firstUses({ nodes, edges }: Pick<History, 'nodes' | 'edges'>): Map<number, number> {
  const uses = new Map<number, number>();
  for (const { from, to, kind } of edges) {
    const user = nodes[to];
    if (kind !== 'consumes' || user?.kind !== 'action') continue;
    uses.set(from, Math.min(uses.get(from) ?? Number.POSITIVE_INFINITY, Date.parse(user.action.timestamp)));
  }
  return uses;
}
