import * as z from 'zod';
import type { JsonObject, JsonValue } from '../canonical-json.js';
import type { Action } from '../records/action.js';
import type { Bundle } from '../records/bundle.js';
import type { Entity } from '../records/entity.js';

const members = z.record(z.string(), z.record(z.string(), z.unknown()));

/** Schema of a PROV-JSON document, with the members that `toProvJson` creates. */
export const provJsonSchema = z
  .object({
    prefix: z.record(z.string(), z.string()),
    ...{ entity: members, activity: members, agent: members },
    ...{ wasGeneratedBy: members, used: members, wasAssociatedWith: members, wasAttributedTo: members },
  })
  .meta({ id: 'ProvJson' });

const PREFIXES = {
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  ipfs: 'ipfs://',
  entity: 'urn:colophon:entity:',
  action: 'urn:uuid:',
  rel: 'urn:colophon:relation:',
  colophon: 'urn:colophon:term:',
};

/** PROV-DM §5.3.1. Other roles have no type. */
const AGENT_TYPES: Record<string, string> = {
  human: 'prov:Person',
  ai: 'prov:SoftwareAgent',
  organization: 'prov:Organization',
};

/**
 * Converts a bundle to PROV-JSON (W3C Member Submission, 24 April 2013). Contents become entities of PROV, actions
 * become activities, and entities of the bundle become agents. Every relation refers only to members of the document.
 * So content that occurs only as an input also becomes an entity of PROV.
 *
 * @example
 * toProvJson({ cid: 'b', entities: [], actions: [], attributions: [], resources: [], complete: true }).entity; // => { 'ipfs:b': {} }
 */
export function toProvJson({
  cid,
  entities,
  actions,
  attributions,
  resources,
  aliases = {},
}: Bundle): JsonObject {
  const content = (name: string) => nameOf('ipfs', aliases[name] ?? name);
  const named = [cid, ...actions.flatMap(({ inputCids, outputCids }) => [...inputCids, ...outputCids])];
  const attributed = attributions.flatMap(({ resourceCid, entityId, role }) =>
    resourceCid === undefined ? [] : [{ resourceCid, entityId, role }],
  );
  const ids = new Set(actions.map(({ id }) => id));
  const helped = attributions.flatMap(({ resourceCid, actionId = '', entityId, role }) =>
    resourceCid === undefined && ids.has(actionId) ? [{ actionId, entityId, role }] : [],
  );
  const all = [...named, ...attributed.map(({ resourceCid }) => resourceCid)];
  const agents = new Map(entities.map((entity) => [nameOf('entity', entity.id), toAgent(entity)]));
  for (const id of [
    ...actions.map(({ performedBy }) => performedBy),
    ...attributed.map(({ entityId }) => entityId),
    ...helped.map(({ entityId }) => entityId),
  ]) {
    const agent = nameOf('entity', id);
    if (!agents.has(agent)) agents.set(agent, {});
  }
  return {
    prefix: PREFIXES,
    entity: {
      ...Object.fromEntries(all.map((name) => [content(name), {}])),
      ...Object.fromEntries(resources.map((resource) => [content(resource.cid), toEntity(resource)])),
    },
    activity: Object.fromEntries(actions.map((action) => [nameOf('action', action.id), toActivity(action)])),
    agent: Object.fromEntries(agents),
    wasGeneratedBy: numbered(
      'g',
      actions.flatMap(({ id, outputCids }) =>
        outputCids.map((name) => ({ 'prov:entity': content(name), 'prov:activity': nameOf('action', id) })),
      ),
    ),
    used: numbered(
      'u',
      actions.flatMap(({ id, inputCids }) =>
        inputCids.map((name) => ({ 'prov:activity': nameOf('action', id), 'prov:entity': content(name) })),
      ),
    ),
    wasAssociatedWith: numbered('w', [
      ...actions.map(({ id, performedBy }) => associate(id, performedBy, {})),
      ...helped.map(({ actionId, entityId, role }) =>
        associate(actionId, entityId, { 'colophon:role': role }),
      ),
    ]),
    wasAttributedTo: numbered(
      'a',
      attributed.map(({ resourceCid, entityId, role }) => ({
        'prov:entity': content(resourceCid),
        'prov:agent': nameOf('entity', entityId),
        'colophon:role': role,
      })),
    ),
  };
}

function toAgent({ role, name }: Entity): JsonObject {
  const type = AGENT_TYPES[role];
  return {
    ...(type === undefined ? {} : { 'prov:type': { $: type, type: 'xsd:QName' } }),
    ...(name === undefined ? {} : { 'prov:label': name }),
    'colophon:role': role,
  };
}

function toEntity({ type, mimeType, size, state }: Bundle['resources'][number]): JsonObject {
  return {
    'colophon:resourceType': type,
    ...(mimeType === undefined ? {} : { 'colophon:mimeType': mimeType }),
    ...(size === undefined ? {} : { 'colophon:size': size }),
    ...(state === null ? {} : { 'colophon:state': state }),
  };
}

/** An activity starts and ends at the time of its action. */
function toActivity({ type, timestamp, digest, sessionId, aiTool }: Action): JsonObject {
  return {
    'prov:startTime': timestamp,
    'prov:endTime': timestamp,
    'colophon:actionType': type,
    'colophon:digest': digest,
    ...(sessionId === undefined ? {} : { 'colophon:sessionId': sessionId }),
    ...(aiTool === undefined
      ? {}
      : { 'colophon:aiProvider': aiTool.provider, 'colophon:aiModel': aiTool.model }),
  };
}

function associate(actionId: string, entityId: string, more: JsonObject): JsonObject {
  return { 'prov:activity': nameOf('action', actionId), 'prov:agent': nameOf('entity', entityId), ...more };
}

/** The id in percent-encoding (PROV-N §3.7.1). */
function nameOf(prefix: keyof typeof PREFIXES, id: string): string {
  return `${prefix}:${encodeURIComponent(id)}`;
}

function numbered(kind: string, relations: JsonObject[]): JsonObject {
  return Object.fromEntries(
    relations.map((relation, n): [string, JsonValue] => [`rel:${kind}${n + 1}`, relation]),
  );
}
