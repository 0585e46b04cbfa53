import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Bundle, type Graph, toGraph } from '@colophon/model';
import { mapYielding } from '../../platform/work/map-yielding.js';
import {
  canonicalBy,
  objectOf,
  toProvenanceKitAction,
  toProvenanceKitEntity,
  toProvenanceKitResources,
} from './record-schemas.js';

type GraphEdge = { from: string; to: string; type: Graph['edges'][number]['type'] | 'tool' };

/** Adds the tools that actions name to the graph. Yields to other requests. */
export async function toProvenanceKitGraph(bundle: Bundle, signal: AbortSignal) {
  const canonical = canonicalBy(bundle.aliases);
  const { nodes, edges } = toGraph(bundle);
  await letOthersRun();
  const data = await dataOf(bundle, signal);
  const drawn = new Map(nodes.map((node) => [node.id, { ...node, data: data.get(node.id) ?? node.data }]));
  const tools: GraphEdge[] = [];
  for (const action of bundle.actions) {
    const toolCid = objectOf(data.get(`act:${action.id}`)?.extensions)?.toolCid;
    if (typeof toolCid !== 'string') continue;
    const id = `res:${canonical(toolCid)}`;
    const ref = canonical(toolCid);
    drawn.set(id, drawn.get(id) ?? { id, type: 'resource', label: `${ref.slice(0, 8)}…`, data: { ref } });
    tools.push({ from: id, to: `act:${action.id}`, type: 'tool' });
  }
  return { nodes: [...drawn.values()], edges: [...edges, ...tools] };
}

async function dataOf(
  { entities, actions, resources, attributions }: Bundle,
  signal: AbortSignal,
): Promise<Map<string, Record<string, unknown>>> {
  const data = new Map<string, Record<string, unknown>>();
  await mapYielding(entities, (one) => data.set(`ent:${one.id}`, toProvenanceKitEntity(one)), signal);
  await mapYielding(actions, (one) => data.set(`act:${one.id}`, toProvenanceKitAction(one)), signal);
  for (const resource of toProvenanceKitResources(resources, attributions))
    data.set(`res:${resource.address.ref}`, { ref: resource.address.ref, ...resource });
  return data;
}
