import type { Action } from '@colophon/model';
import { toolOf } from '../../shell/tool.js';
import type { History } from './history.js';

/** Minimum size of a group. */
export const GROUP_LEAST = 3;
/** Maximum number of groups and single actions together. */
const GROUPS_MOST = 36;
/** Maximum number of time intervals, and of parts of an opened group. */
const PERIODS_MOST = 8;
/** Maximum number of members of an opened group that become single nodes. */
const OPENED_MOST = 24;

interface ChosenGroups {
  groups: number[][];
  /** Maps an action to its time interval. Empty if the actions are not grouped by time. */
  periodOf: ReadonlyMap<number, number>;
}

/**
 * Groups actions that have the same type, person, tool and neighbours. If this leaves too many groups and single
 * actions, groups all actions by type and time interval instead. If even this leaves too many, groups by time interval
 * alone.
 */
export function chooseGroups(history: History, actions: readonly number[]): ChosenGroups {
  const ordered = [...actions].sort((a, b) => timeOf(history, a) - timeOf(history, b) || a - b);
  const alike = groupBy(ordered, likenessIn(history));
  if (pieces(alike) <= GROUPS_MOST) return { groups: alike, periodOf: new Map() };
  for (let periods = PERIODS_MOST; periods > 1; periods--) {
    const chosen = byPeriod(ordered, { periods, typeOf: (index) => actionOf(history, index)?.type });
    if (pieces(chosen.groups) <= GROUPS_MOST) return chosen;
  }
  return byPeriod(ordered, { periods: PERIODS_MOST, typeOf: () => undefined });
}

/** Splits an opened group into single actions or into smaller groups, oldest first. */
export function splitGroup(members: readonly number[]): number[][] {
  if (members.length <= OPENED_MOST) return members.map((member) => [member]);
  const parts = Math.min(PERIODS_MOST, Math.ceil(members.length / OPENED_MOST));
  return Array.from({ length: parts }, (_, part) =>
    members.slice(
      Math.floor((part * members.length) / parts),
      Math.floor(((part + 1) * members.length) / parts),
    ),
  );
}

function byPeriod(
  ordered: readonly number[],
  { periods, typeOf }: { periods: number; typeOf: (index: number) => string | undefined },
): ChosenGroups {
  const rankOf = new Map(ordered.map((index, rank) => [index, rank]));
  const size = Math.max(1, ordered.length / periods);
  const periodOf = new Map([...rankOf].map(([index, rank]) => [index, Math.floor(rank / size)]));
  return { groups: groupBy(ordered, (index) => `${periodOf.get(index)} ${typeOf(index)}`), periodOf };
}

/** Returns a function that returns the key of an action. Similar actions have the same key. */
function likenessIn(history: History): (index: number) => string {
  const [makers, users] = [new Map<number, number[]>(), new Map<number, number[]>()];
  const add = (map: Map<number, number[]>, key: number, value: number) => {
    const known = map.get(key);
    if (known === undefined) map.set(key, [value]);
    else known.push(value);
  };
  const [inputs, outputs] = [new Map<number, number[]>(), new Map<number, number[]>()];
  for (const { from, to, kind } of history.edges) {
    if (kind === 'consumes') {
      add(users, from, to);
      add(inputs, to, from);
    } else if (kind === 'produces') {
      add(makers, to, from);
      add(outputs, from, to);
    }
  }
  const beyond = (contents: readonly number[], next: Map<number, number[]>) =>
    [...new Set(contents.flatMap((content) => next.get(content)?.map(String) ?? [`content ${content}`]))]
      .sort()
      .join();
  return (index) => {
    const action = actionOf(history, index);
    const after = (outputs.get(index) ?? []).flatMap((content) => users.get(content) ?? []);
    return [
      action?.type,
      action?.performedBy,
      action === undefined ? '' : toolOf(action)?.id,
      beyond(inputs.get(index) ?? [], makers),
      [...new Set(after)].sort().join(),
    ].join('|');
  };
}

function groupBy(items: readonly number[], keyOf: (item: number) => string): number[][] {
  const groups = new Map<string, number[]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [item]);
    else known.push(item);
  }
  return [...groups.values()];
}

function pieces(groups: readonly (readonly number[])[]): number {
  return groups.reduce((sum, { length }) => sum + (length < GROUP_LEAST ? length : 1), 0);
}

function actionOf({ nodes }: History, index: number): Action | undefined {
  const node = nodes[index];
  return node?.kind === 'action' ? node.action : undefined;
}

function timeOf(history: History, index: number): number {
  return Date.parse(actionOf(history, index)?.timestamp ?? '');
}
