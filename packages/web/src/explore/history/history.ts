import {
  type Action,
  type Bundle,
  type Entity,
  findCorrections,
  type Graph,
  type Resource,
  toGraph,
} from '@colophon/model';
import { toMakingStep } from '../../shell/name-action.js';
import { type Tool, toolOf } from '../../shell/tool.js';

/** `id`: the id of the node in the result of `toGraph`. A tool and a group have ids of their own. */
export type HistoryNode =
  | {
      kind: 'resource';
      id: string;
      cid: string;
      origin: Origin;
      notes: readonly string[];
      resource?: Resource;
    }
  | {
      kind: 'action';
      id: string;
      action: Action;
      notes: readonly string[];
      named: NamedContents;
      /** The node id of the action that corrects this one. */
      correctedBy?: string;
    }
  | { kind: 'entity'; id: string; entity: Entity }
  | { kind: 'tool'; id: string; tool: Tool }
  | { kind: 'group'; id: string; group: StepGroup };

/** `markedCid`: the original, if the action made a marked copy. */
export interface NamedContents {
  inputs: readonly string[];
  outputs: readonly string[];
  markedCid?: string | undefined;
}

/** `made`: a recorded action other than an import made the content. `none`: only the id of the content is recorded. */
export type Origin = 'claimed' | 'made' | 'referenced' | 'none';

export interface StepGroup {
  /** The node id of the oldest action, or of the first content in a group of contents. */
  firstId: string;
  /** Oldest first. Empty for a group of contents. */
  actions: readonly Action[];
  contents: number;
  /** The last content with a recorded size, for the thumbnail. */
  pictured?: { cid: string; resource: Resource };
  /** The first action, or the first use of the contents, in Unix milliseconds. */
  fromMs: number;
}

/** `credits`: an attribution to an entity that is not the performer of the action. */
export type EdgeKind = Graph['edges'][number]['type'] | 'usedTool' | 'credits';

/** From and to are node indexes. The edge points forward in time. */
export interface HistoryEdge {
  from: number;
  to: number;
  kind: EdgeKind;
  /** Does not influence the layout, and is drawn only while one of its ends is selected or under the pointer. */
  isAside?: boolean;
}

/** `focus`: the index of the content whose history this is. */
export interface History {
  nodes: readonly HistoryNode[];
  edges: readonly HistoryEdge[];
  focus: number;
}

export function toHistory(bundle: Bundle): History {
  const nodes = toNodes(bundle);
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]));
  const edges: HistoryEdge[] = [];
  const join = (from: string, to: string, kind: EdgeKind) => {
    const [start, end] = [indexOf.get(from), indexOf.get(to)];
    if (start !== undefined && end !== undefined) edges.push({ from: start, to: end, kind });
  };
  for (const { from, to, type } of toGraph(bundle).edges) join(from, to, type);
  for (const action of bundle.actions) {
    const tool = toolOf(action);
    if (tool !== undefined) join(tool.id, `act:${action.id}`, 'usedTool');
  }
  for (const { entityId, target } of furtherCredits(bundle)) join(`ent:${entityId}`, target, 'credits');
  return { nodes, edges, focus: indexOf.get(nameOf(bundle, bundle.cid)) ?? 0 };
}

function toNodes(bundle: Bundle): HistoryNode[] {
  const actions = new Map(bundle.actions.map((action) => [`act:${action.id}`, action]));
  const entities = new Map(bundle.entities.map((entity) => [`ent:${entity.id}`, entity]));
  const resources = new Map(bundle.resources.map((resource) => [`res:${resource.cid}`, resource]));
  const notes = notesOf(bundle);
  const made = madeIn(bundle);
  const corrections = findCorrections(bundle.actions, bundle.aliases);
  const nodes = toGraph(bundle).nodes.map(({ id }): HistoryNode => {
    const [action, entity, resource] = [actions.get(id), entities.get(id), resources.get(id)];
    if (action !== undefined) {
      const by = corrections.get(action.id);
      const correctedBy = by === undefined ? {} : { correctedBy: `act:${by}` };
      const named = nameContents(action, bundle);
      return { kind: 'action', id, action, notes: notes.get(id) ?? [], named, ...correctedBy };
    }
    if (entity !== undefined) return { kind: 'entity', id, entity };
    const cid = id.slice('res:'.length);
    const origin = originOf(resource, made.has(id));
    const ofContent = { cid, origin, notes: notes.get(id) ?? [] };
    return { kind: 'resource', id, ...ofContent, ...(resource === undefined ? {} : { resource }) };
  });
  const tools = new Map(bundle.actions.map(toolOf).flatMap((tool) => (tool ? [[tool.id, tool]] : [])));
  return [...nodes, ...[...tools.values()].map((tool) => ({ kind: 'tool' as const, id: tool.id, tool }))];
}

/** Returns the node ids of the contents that an action made. An import makes no content. */
function madeIn(bundle: Bundle): Set<string> {
  const making = bundle.actions.filter(({ type }) => type !== 'reference');
  return new Set(making.flatMap(({ outputCids }) => outputCids.map((cid) => nameOf(bundle, cid))));
}

/** Reads the origin from the resource too, because a partial history can lack the action that made the content. */
function originOf(resource: Resource | undefined, isMade: boolean): Origin {
  if (resource?.state === 'claimed') return 'claimed';
  if (isMade || resource?.createdBy !== undefined) return 'made';
  return resource?.state ?? (resource?.rootAction === undefined ? 'none' : 'made');
}

/**
 * Maps the id of a node to its notes. The note of an attribution belongs to the node of the action if the history has
 * this action, and to the node of the content if not.
 */
function notesOf(bundle: Bundle): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const actions = new Set(bundle.actions.map(({ id }) => id));
  for (const { note, actionId = '', resourceCid } of bundle.attributions) {
    const target = actions.has(actionId) ? `act:${actionId}` : resourceCid && nameOf(bundle, resourceCid);
    if (note === undefined || target === undefined) continue;
    const known = found.get(target) ?? [];
    if (!known.includes(note)) found.set(target, [...known, note]);
  }
  return found;
}

function nameOf({ aliases = {} }: Bundle, cid: string): string {
  return `res:${aliases[cid] ?? cid}`;
}

function nameContents(action: Action, { aliases = {} }: Bundle): NamedContents {
  const inputs = action.inputCids.map((cid) => aliases[cid] ?? cid);
  const { outputs, markedCid } = toMakingStep(action, aliases);
  return { inputs, outputs, markedCid };
}

/** Lists the credits for the picture. Omits a credit of the performer for the own action, and duplicates. */
function furtherCredits(bundle: Bundle): { entityId: string; target: string }[] {
  const actions = new Map(bundle.actions.map((action) => [action.id, action]));
  const found = new Map<string, { entityId: string; target: string }>();
  for (const { entityId, actionId = '', resourceCid } of bundle.attributions) {
    const action = actions.get(actionId);
    if (action?.performedBy === entityId) continue;
    const target = action ? `act:${actionId}` : resourceCid && nameOf(bundle, resourceCid);
    if (target !== undefined) found.set(`${entityId} ${target}`, { entityId, target });
  }
  return [...found.values()];
}
