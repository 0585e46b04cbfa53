import { type Action, licenseOf, makesContent } from '@colophon/model';
import type { History, HistoryNode } from './history.js';

/**
 * Returns the names of the makers of a content, and its licences, which its record and the steps that made or imported it
 * state.
 */
export function makingOf(
  { nodes, edges }: History,
  content: HistoryNode & { kind: 'resource' },
): { makers: string[]; licenses: string[] } {
  const place = nodes.findIndex(({ id }) => id === content.id);
  const steps = edges
    .filter(({ to, kind }) => to === place && kind === 'produces')
    .flatMap(({ from }) => actionsOf(nodes[from]));
  const performers = new Set(
    steps.filter(({ type }) => makesContent(type)).map(({ performedBy }) => performedBy),
  );
  const makers = nodes.flatMap((node) =>
    node.kind === 'entity' && performers.has(node.entity.id) ? [node.entity.name ?? node.entity.id] : [],
  );
  const records = content.resource === undefined ? steps : [content.resource, ...steps];
  const licenses = records.flatMap((record) => licenseOf(record) ?? []);
  return { makers, licenses: [...new Set(licenses)] };
}

function actionsOf(node: HistoryNode | undefined): readonly Action[] {
  return node?.kind === 'action' ? [node.action] : [];
}
