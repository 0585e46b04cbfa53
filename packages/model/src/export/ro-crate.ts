import * as z from 'zod';
import type { JsonObject } from '../canonical-json.js';
import type { Action } from '../records/action.js';
import type { Bundle } from '../records/bundle.js';

/** Schema of the metadata document of an RO-Crate. */
export const roCrateSchema = z
  .object({
    '@context': z.string(),
    '@graph': z.array(z.looseObject({ '@id': z.string(), '@type': z.string() })),
  })
  .meta({ id: 'RoCrate' });

const CONTEXT = 'https://w3id.org/ro/crate/1.1/context';
const CONFORMS_TO = 'https://w3id.org/ro/crate/1.1';
const METADATA_FILE = 'ro-crate-metadata.json';
const ROOT = './';

/** Other roles get the type `Thing`. */
const AGENT_TYPES: Record<string, string> = {
  human: 'Person',
  ai: 'SoftwareApplication',
  organization: 'Organization',
};

/**
 * Converts a bundle to the metadata document of a detached RO-Crate 1.1. Contents become files, at `ipfs://` or
 * `urn:sha256:`. Actions become `CreateAction` with `agent`, `object` and `result` (RO-Crate 1.1, "Provenance of
 * entities"). The graph contains every content, entity and action that it refers to.
 *
 * @example
 * toRoCrate({ cid: 'b', entities: [], actions: [], attributions: [], resources: [], complete: true })['@context']; // => 'https://w3id.org/ro/crate/1.1/context'
 */
export function toRoCrate(bundle: Bundle): JsonObject {
  const { cid, entities, actions, attributions, resources, aliases = {} } = bundle;
  const canonical = (name: string) => aliases[name] ?? name;
  const known = new Map(resources.map((resource) => [resource.cid, resource]));
  const names = new Set(
    [cid, ...actions.flatMap(({ inputCids, outputCids }) => [...inputCids, ...outputCids])].map(canonical),
  );
  for (const name of known.keys()) names.add(name);
  const people = new Map(entities.map((entity) => [entity.id, entity]));
  const performers = [
    ...actions.map(({ performedBy }) => performedBy),
    ...attributions.map(({ entityId }) => entityId),
  ];
  const agentIds = new Set([...people.keys(), ...performers]);
  const creators = new Map<string, Set<string>>();
  for (const { resourceCid, role, entityId } of attributions) {
    if (role === 'source' || resourceCid === undefined) continue;
    const name = canonical(resourceCid);
    creators.set(name, (creators.get(name) ?? new Set()).add(entityId));
  }
  const files = [...names].map((name): JsonObject => {
    const { mimeType, size, createdAt } = known.get(name) ?? {};
    const creatorsOfIt = [...(creators.get(name) ?? [])];
    return {
      '@id': fileId(name),
      '@type': 'File',
      name,
      identifier: name,
      ...(mimeType === undefined ? {} : { encodingFormat: mimeType }),
      ...(size === undefined ? {} : { contentSize: String(size) }),
      ...(createdAt === undefined ? {} : { sdDatePublished: createdAt }),
      ...(creatorsOfIt.length === 0 ? {} : { creator: creatorsOfIt.map((id) => ({ '@id': agentId(id) })) }),
    };
  });
  const agents = [...agentIds].map((id): JsonObject => {
    const { role = '', name = id } = people.get(id) ?? {};
    return { '@id': agentId(id), '@type': AGENT_TYPES[role] ?? 'Thing', name, identifier: id };
  });
  return {
    '@context': CONTEXT,
    '@graph': [
      {
        '@id': METADATA_FILE,
        '@type': 'CreativeWork',
        conformsTo: { '@id': CONFORMS_TO },
        about: { '@id': ROOT },
      },
      toRoot(bundle, { names: [...names], main: canonical(bundle.cid) }),
      ...files,
      ...agents,
      ...actions.map((action) => toAction(action, canonical)),
    ],
  };
}

/** The date is that of the newest action or resource. */
function toRoot(
  { cid, actions, resources }: Bundle,
  { names, main }: { names: readonly string[]; main: string },
): JsonObject {
  const dates = [
    ...actions.map(({ recordedAt }) => recordedAt),
    ...resources.map(({ createdAt }) => createdAt),
  ];
  return {
    '@id': ROOT,
    '@type': 'Dataset',
    name: `Provenance of ${cid}`,
    description: `The sources and makers of ${cid}, as recorded by Colophon.`,
    datePublished: dates.sort().at(-1) ?? '1970-01-01',
    license: 'Each content has its own licence. This crate does not state it.',
    hasPart: names.map((name) => ({ '@id': fileId(name) })),
    mentions: actions.map(({ id }) => ({ '@id': actionId(id) })),
    mainEntity: { '@id': fileId(main) },
  };
}

function toAction(
  { id, type, performedBy, inputCids, outputCids, timestamp, aiTool }: Action,
  canonical: (name: string) => string,
): JsonObject {
  const refer = (names: string[]) => names.map((name) => ({ '@id': fileId(canonical(name)) }));
  const tool = aiTool === undefined ? '' : ` with ${aiTool.provider} ${aiTool.model}`;
  return {
    '@id': actionId(id),
    '@type': 'CreateAction',
    name: `${type}${tool}`,
    agent: { '@id': agentId(performedBy) },
    endTime: timestamp,
    ...(inputCids.length === 0 ? {} : { object: refer(inputCids) }),
    ...(outputCids.length === 0 ? {} : { result: refer(outputCids) }),
  };
}

function fileId(cid: string): string {
  return cid.startsWith('sha256:') ? `urn:${cid}` : `ipfs://${cid}`;
}

function agentId(id: string): string {
  return `urn:colophon:entity:${encodeURIComponent(id)}`;
}

function actionId(id: string): string {
  return `urn:uuid:${id}`;
}
