import * as z from 'zod';
import type { Action } from './records/action.js';
import type { Bundle } from './records/bundle.js';
import type { Entity } from './records/entity.js';

/**
 * Schema of a bundle as nodes and edges, in the shape of the ProvenanceKit UI. Node ids are `res:<cid>`,
 * `act:<id>` and `ent:<id>`. Every edge joins two nodes of the graph.
 */
export const graphSchema = z
  .object({
    nodes: z.array(
      z.object({
        id: z.string(),
        type: z.enum(['resource', 'action', 'entity']),
        label: z.string(),
        data: z.record(z.string(), z.unknown()),
      }),
    ),
    edges: z.array(
      z.object({ from: z.string(), to: z.string(), type: z.enum(['produces', 'performedBy', 'consumes']) }),
    ),
    complete: z.boolean(),
  })
  .meta({ id: 'Graph' });

/** A bundle as nodes and edges. */
export type Graph = z.output<typeof graphSchema>;

const LABEL_LENGTH = 8;

/**
 * Returns the graph of a bundle. If an action names a content that is not in `resources`, this content is also a node,
 * with only its CID.
 *
 * @example
 * const bundle = { cid: 'x', entities: [], actions: [], attributions: [], resources: [], complete: true };
 * toGraph(bundle).edges; // => []
 */
export function toGraph(bundle: Bundle): Graph {
  const { entities, resources, complete, aliases = {} } = bundle;
  const canonical = (cids: string[]) => cids.map((cid) => aliases[cid] ?? cid);
  const actions = bundle.actions.map((action) => ({
    ...action,
    inputCids: canonical(action.inputCids),
    outputCids: canonical(action.outputCids),
  }));
  const known = new Map(resources.map((resource) => [resource.cid, resource]));
  const named = new Set([
    ...known.keys(),
    ...actions.flatMap(({ inputCids, outputCids }) => [...inputCids, ...outputCids]),
  ]);
  return {
    nodes: [
      ...[...named].map((cid) => ({
        id: `res:${cid}`,
        type: 'resource' as const,
        label: `${cid.slice(0, LABEL_LENGTH)}…`,
        data: { ref: cid, ...known.get(cid) },
      })),
      ...actions.map(toActionNode),
      ...entities.map(toEntityNode),
    ],
    edges: actions.flatMap(toEdges),
    complete,
  };
}

function toActionNode(action: Action) {
  return { id: `act:${action.id}`, type: 'action' as const, label: action.type, data: { ...action } };
}

function toEntityNode(entity: Entity) {
  return {
    id: `ent:${entity.id}`,
    type: 'entity' as const,
    label: entity.name ?? entity.id,
    data: { ...entity },
  };
}

function toEdges({ id, performedBy, inputCids, outputCids }: Action): Graph['edges'] {
  const node = `act:${id}`;
  return [
    { from: `ent:${performedBy}`, to: node, type: 'performedBy' },
    ...inputCids.map((cid) => ({ from: `res:${cid}`, to: node, type: 'consumes' as const })),
    ...outputCids.map((cid) => ({ from: node, to: `res:${cid}`, type: 'produces' as const })),
  ];
}
