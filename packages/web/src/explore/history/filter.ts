import type { History } from './history.js';
import { kindOfStep, listRecorded } from './marked-copies.js';

/** `type`: see `kindOfStep`. An absent member matches everything. */
export interface Filter {
  entity?: string | undefined;
  tool?: string | undefined;
  type?: string | undefined;
}

/** Returns the indexes of the matching actions and of their neighbours; undefined for an empty filter. */
export function matching(history: History, { entity, tool, type }: Filter): Set<number> | undefined {
  if (entity === undefined && tool === undefined && type === undefined) return undefined;
  const { nodes, edges } = history;
  const recorded = listRecorded(history);
  const joined = edges.map(({ from, to }) => ({ from, to, start: nodes[from]?.id, end: nodes[to] }));
  const takesPart = (id: string | undefined) =>
    id === undefined ? undefined : new Set(joined.flatMap(({ start, to }) => (start === id ? [to] : [])));
  const [byEntity, byTool] = [takesPart(entity), takesPart(tool)];
  const actions = nodes.flatMap((node, index) => {
    const isAsked =
      node.kind === 'action' &&
      (byEntity?.has(index) ?? true) &&
      (byTool?.has(index) ?? true) &&
      (type === undefined || kindOfStep(node, recorded) === type);
    return isAsked ? [index] : [];
  });
  const found = new Set(actions);
  for (const { from, to } of joined) {
    if (actions.length > 0 && found.has(to) && nodes[to]?.kind === 'action') found.add(from);
    if (nodes[from]?.kind === 'action' && found.has(from)) found.add(to);
  }
  return found;
}

export interface Choices {
  entities: { id: string; name: string }[];
  tools: { id: string; name: string }[];
  types: string[];
}

export function choicesOf(history: History): Choices {
  const { nodes } = history;
  const recorded = listRecorded(history);
  const types = new Set(
    nodes.flatMap((node) => (node.kind === 'action' ? [kindOfStep(node, recorded)] : [])),
  );
  return {
    entities: nodes.flatMap((node) =>
      node.kind === 'entity' ? [{ id: node.id, name: node.entity.name ?? node.entity.id }] : [],
    ),
    tools: nodes.flatMap((node) => (node.kind === 'tool' ? [{ id: node.id, name: node.tool.name }] : [])),
    types: [...types].sort(),
  };
}
