import type { Action, Resource } from '@colophon/model';
import {
  AI_EXTENSION,
  type Attribution,
  type Entity,
  type JsonObject,
  LICENSE_EXTENSION,
  type Onchain,
} from '@colophon/model';
import { z } from 'zod';
import { contributionOf, REQUEST_EXTENSION, RESOURCE_EXTENSION } from './extensions.js';

/*
 * Records as the ProvenanceKit SDK reads them (ProvenanceKit eaa-types 0.1.5). Responses also have the members of
 * Colophon.
 */

const reference = z.object({ ref: z.string(), scheme: z.literal('cid'), size: z.int().optional() });
const extensions = z.record(z.string(), z.unknown());

/** `metadata.wallet` is the wallet of the entity. */
export const provenanceKitEntitySchema = z
  .looseObject({
    id: z.string(),
    role: z.string(),
    name: z.string().optional(),
    publicKey: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()),
    extensions: extensions.optional(),
  })
  .meta({ id: 'PublishedEntity' });

export const provenanceKitActionSchema = z
  .looseObject({
    id: z.string(),
    type: z.string(),
    performedBy: z.string(),
    timestamp: z.string().optional(),
    inputs: z.array(reference),
    outputs: z.array(reference),
    proof: z.string().optional(),
    extensions,
  })
  .meta({ id: 'PublishedAction' });

export const provenanceKitResourceSchema = z
  .looseObject({
    address: reference,
    type: z.string(),
    locations: z.array(z.looseObject({ uri: z.string(), provider: z.string().optional() })),
    createdAt: z.string().optional(),
    createdBy: z.string(),
    rootAction: z.string().optional(),
    extensions: extensions.optional(),
  })
  .meta({ id: 'PublishedResource' });

export const provenanceKitAttributionSchema = z
  .looseObject({
    id: z.string().optional(),
    resourceRef: reference.optional(),
    actionId: z.string().optional(),
    entityId: z.string(),
    role: z.string(),
    note: z.string().optional(),
    extensions: extensions.optional(),
  })
  .meta({ id: 'PublishedAttribution' });

type ProvenanceKitEntity = z.input<typeof provenanceKitEntitySchema>;
type ProvenanceKitAction = z.input<typeof provenanceKitActionSchema>;
type ProvenanceKitResource = z.input<typeof provenanceKitResourceSchema>;
type ProvenanceKitAttribution = z.input<typeof provenanceKitAttributionSchema>;

/** The creator that ProvenanceKit clients show for content of unknown origin. */
const UNCLAIMED = 'ent:unclaimed';

/** Returns the canonical CID for a CID or an alias. */
export type Canonical = (cid: string) => string;

export function canonicalBy(aliases: Readonly<Record<string, string>> | undefined): Canonical {
  const names = new Map(Object.entries(aliases ?? {}));
  return (cid) => names.get(cid) ?? cid;
}

export function toProvenanceKitEntity(entity: Omit<Entity, 'createdAt'>): ProvenanceKitEntity {
  const { metadata, wallet } = entity;
  return { ...entity, metadata: { ...metadata, ...(wallet === undefined ? {} : { wallet }) } };
}

export function toProvenanceKitAction(
  action: MappedAction,
  canonical: Canonical = (cid) => cid,
): ProvenanceKitAction {
  const { proof, inputCids, outputCids, sessionId, onchain, extensions, ...rest } = action;
  const { [REQUEST_EXTENSION]: asked, ...others } = extensions;
  const { toolCid, proof: text } = objectOf(asked) ?? {};
  return {
    ...rest,
    ...(typeof text === 'string' ? { proof: text } : {}),
    ...(sessionId === undefined ? {} : { sessionId }),
    inputCids,
    outputCids,
    inputs: inputCids.map((cid) => toReference(canonical(cid))),
    outputs: outputCids.map((cid) => toReference(canonical(cid))),
    extensions: {
      ...others,
      ...withAi(others[AI_EXTENSION]),
      ...(typeof toolCid === 'string' ? { toolCid } : {}),
      ...(proof === undefined ? {} : { 'ext:proof@1.0.0': proof }),
      ...(sessionId === undefined ? {} : { 'ext:session@1.0.0': { sessionId } }),
      ...(onchain === undefined ? {} : { 'ext:onchain@1.0.0': toProvenanceKitOnchain(onchain) }),
    },
  };
}

/** No block while the `status` is `submitted`. */
function toProvenanceKitOnchain({ txHash, status, proof: _, ...place }: Onchain): object {
  return { ...place, transactionHash: txHash, confirmed: status !== 'submitted' };
}

type SayingAttribution = Pick<Attribution, 'resourceCid' | 'extensions'>;

/** Reads each attribution once: a history can have 50,000 of them. */
export function toProvenanceKitResources(
  resources: readonly MappedResource[],
  attributions: readonly SayingAttribution[],
): ProvenanceKitResource[] {
  const saidOf = new Map<string, JsonObject>();
  for (const attribution of attributions) {
    const { resourceCid } = attribution;
    if (resourceCid === undefined) continue;
    saidOf.set(resourceCid, Object.assign(saidOf.get(resourceCid) ?? {}, saidOfResource(attribution)));
  }
  return resources.map((resource) => toProvenanceKitResource(resource, saidOf.get(resource.cid)));
}

/** `said`: the extensions of the content's attributions, such as the licence. */
export function toProvenanceKitResource(
  resource: MappedResource,
  said: JsonObject = {},
): ProvenanceKitResource {
  const { cid, size, createdBy, extensions } = resource;
  return {
    ...resource,
    address: toReference(cid, size),
    createdBy: createdBy ?? UNCLAIMED,
    extensions: { ...said, ...extensions },
  };
}

export function toProvenanceKitAttribution(
  attribution: Omit<Attribution, 'createdAt'>,
  canonical: Canonical = (cid) => cid,
): ProvenanceKitAttribution {
  const { resourceCid, weight, extensions } = attribution;
  const { [RESOURCE_EXTENSION]: _, ...others } = extensions ?? {};
  return {
    ...attribution,
    ...(resourceCid === undefined ? {} : { resourceRef: toReference(canonical(resourceCid)) }),
    extensions: { ...(weight === undefined ? {} : contributionOf(weight)), ...others },
  };
}

export function toReference(ref: string, size?: number): z.input<typeof reference> {
  return { ref, scheme: 'cid', ...(size === undefined ? {} : { size }) };
}

function saidOfResource({ extensions = {} }: SayingAttribution): JsonObject {
  const license = objectOf(extensions[LICENSE_EXTENSION]);
  return {
    ...objectOf(extensions[RESOURCE_EXTENSION]),
    ...(license === undefined ? {} : { [LICENSE_EXTENSION]: license }),
  };
}

/** Adds the AI tool twice: some clients read it from `tool`, others from the top level. */
function withAi(value: unknown): Record<string, JsonObject> {
  const ai = objectOf(value);
  if (ai === undefined || 'agent' in ai) return {};
  const { tool, ...flat } = ai;
  const said = { ...objectOf(tool), ...flat };
  return { [AI_EXTENSION]: { ...said, tool: { ...said } } };
}

export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** A record from a media file can lack the listed members. */
type WithOptional<Whole, Lacking extends keyof Whole> = Omit<Whole, Lacking> & {
  [Member in Lacking]?: Whole[Member] | undefined;
};

export type MappedAction = WithOptional<Action, 'timestamp' | 'recordedAt' | 'digest'>;

/** Content, recorded or from a media file. */
export type MappedResource = WithOptional<Resource, 'createdAt' | 'state'>;
