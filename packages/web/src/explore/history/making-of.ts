import { licenseOf, makesContent } from '@colophon/model';
import type { History, HistoryNode } from './history.js';

type ActionNode = HistoryNode & { kind: 'action' };

/**
 * Returns the makers of a content, and the licences that a maker or the owner states. Corrected steps do not count. The
 * makers of a marked copy are those of its original, because both are the same work.
 */
export function makingOf(
  history: History,
  { id, resource }: HistoryNode & { kind: 'resource' },
): { makers: string[]; licenses: string[] } {
  const { nodes } = history;
  const place = nodes.findIndex((node) => node.id === id);
  const steps = stepsTo(history, place)
    .map(({ action }) => action)
    .sort((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp));
  const workMakers = listWorkMakers(history, place);
  const performers = steps.filter(({ type }) => makesContent(type)).map(({ performedBy }) => performedBy);
  const makers = nodes.flatMap((node) =>
    node.kind === 'entity' && workMakers.has(node.entity.id) ? [node.entity.name ?? node.entity.id] : [],
  );
  const first = resource?.createdBy ?? steps[0]?.performedBy;
  const stating = [...(performers.length > 0 ? performers : [first]), resource?.owner];
  const about = steps.filter(({ performedBy }) => stating.includes(performedBy));
  const records = resource === undefined ? about : [resource, ...about];
  return { makers, licenses: [...new Set(records.flatMap((record) => licenseOf(record) ?? []))] };
}

/** For a marked copy, returns the makers of its original, if the history has them. */
function listWorkMakers(history: History, own: number): Set<string> {
  const places = new Map(
    history.nodes.flatMap((node, place): [string, number][] =>
      node.kind === 'resource' ? [[node.cid, place]] : [],
    ),
  );
  const works = new Set([own]);
  const makers = new Set<string>();
  // The loop also visits the contents that it adds to the set.
  for (const work of works)
    for (const { action, named } of stepsTo(history, work).filter((step) => makesContent(step.action.type))) {
      const marked = places.get(named.markedCid ?? '');
      if (marked === undefined || stepsTo(history, marked).length === 0) makers.add(action.performedBy);
      else works.add(marked);
    }
  return makers;
}

/** Corrected steps do not count. */
function stepsTo({ nodes, edges }: History, place: number): ActionNode[] {
  return edges
    .filter(({ to, kind }) => to === place && kind === 'produces')
    .flatMap(({ from }) => currentOf(nodes[from]));
}

function currentOf(node: HistoryNode | undefined): readonly ActionNode[] {
  return node?.kind === 'action' && node.correctedBy === undefined ? [node] : [];
}
