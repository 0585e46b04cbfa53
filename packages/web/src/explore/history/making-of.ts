import { type Action, licenseOf, makesContent } from '@colophon/model';
import type { History, HistoryNode } from './history.js';

/**
 * Returns the names of the makers of a content, and its licences. A licence comes from the record of the content, or
 * from a step in which a maker or the owner made or imported the content. If no step has a maker, the steps of the
 * creator in the record count in place of the makers' steps. Corrected steps do not count.
 */
export function makingOf(
  { nodes, edges }: History,
  { id, resource }: HistoryNode & { kind: 'resource' },
): { makers: string[]; licenses: string[] } {
  const place = nodes.findIndex((node) => node.id === id);
  const steps = edges
    .filter(({ to, kind }) => to === place && kind === 'produces')
    .flatMap(({ from }) => actionsOf(nodes[from]))
    .sort((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp));
  const performers = steps.filter(({ type }) => makesContent(type)).map(({ performedBy }) => performedBy);
  const makers = nodes.flatMap((node) =>
    node.kind === 'entity' && performers.includes(node.entity.id) ? [node.entity.name ?? node.entity.id] : [],
  );
  const first = resource?.createdBy ?? steps[0]?.performedBy;
  const stating = [...(performers.length > 0 ? performers : [first]), resource?.owner];
  const about = steps.filter(({ performedBy }) => stating.includes(performedBy));
  const records = resource === undefined ? about : [resource, ...about];
  return { makers, licenses: [...new Set(records.flatMap((record) => licenseOf(record) ?? []))] };
}

function actionsOf(node: HistoryNode | undefined): readonly Action[] {
  return node?.kind === 'action' && node.correctedBy === undefined ? [node.action] : [];
}
