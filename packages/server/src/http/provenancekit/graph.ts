import type { Bundle, Graph } from '@colophon/model';
import {
  canonicalBy,
  toProvenanceKitAction,
  toProvenanceKitEntity,
  toProvenanceKitResources,
} from './record-schemas.js';

type GraphEdge = { from: string; to: string; type: Graph['edges'][number]['type'] | 'tool' };

/** Converts a graph to the shape that the ProvenanceKit SDK draws, with the tools that actions name. */
export function toProvenanceKitGraph({ nodes, edges }: Graph, bundle: Bundle) {
  const canonical = canonicalBy(bundle.aliases);
  const data = dataOf(bundle);
  const drawn = new Map(nodes.map((node) => [node.id, { ...node, data: data.get(node.id) ?? node.data }]));
  const tools: GraphEdge[] = [];
  for (const action of bundle.actions) {
    const { toolCid } = toProvenanceKitAction(action).extensions;
    if (typeof toolCid !== 'string') continue;
    const id = `res:${canonical(toolCid)}`;
    const ref = canonical(toolCid);
    drawn.set(id, drawn.get(id) ?? { id, type: 'resource', label: `${ref.slice(0, 8)}…`, data: { ref } });
    tools.push({ from: id, to: `act:${action.id}`, type: 'tool' });
  }
  return { nodes: [...drawn.values()], edges: [...edges, ...tools] };
}

function dataOf({
  entities,
  actions,
  resources,
  attributions,
}: Bundle): Map<string, Record<string, unknown>> {
  return new Map<string, Record<string, unknown>>([
    ...entities.map((entity) => [`ent:${entity.id}`, toProvenanceKitEntity(entity)] as const),
    ...actions.map((action) => [`act:${action.id}`, toProvenanceKitAction(action)] as const),
    ...toProvenanceKitResources(resources, attributions).map(
      (resource) => [`res:${resource.address.ref}`, { ref: resource.address.ref, ...resource }] as const,
    ),
  ]);
}
