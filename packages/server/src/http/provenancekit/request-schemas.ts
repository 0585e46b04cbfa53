import {
  type ActivityInput,
  AI_EXTENSION,
  activityInputSchema,
  type EntityInput,
  entityInputSchema,
} from '@colophon/model';
import { z } from 'zod';
import { parseBody } from '../../body-fault.js';
import type { Who } from '../../records/ownership/record-ownership.js';
import {
  provenanceKitAttributionRequest,
  REQUEST_EXTENSION,
  RESOURCE_EXTENSION,
  toAttributionExtensions,
} from './extensions.js';

/* As in the server of ProvenanceKit, unknown members are ignored. The schemas of `/v1` check the known members. */

const name = z.string().optional();
const metadata = z.record(z.string(), z.unknown()).optional();

const agentSchema = z.looseObject({
  model: z.looseObject({ provider: z.string(), model: z.string(), version: name }),
  delegatedBy: name,
  autonomyLevel: z.enum(['autonomous', 'supervised', 'assistive']).optional(),
  collaborators: z.array(z.string()).optional(),
  sessionId: name,
  capabilities: z.array(z.string()).optional(),
});

export const provenanceKitEntityRequest = z
  .object({
    id: name,
    role: z.string().regex(/\S/, 'must not be blank'),
    name,
    wallet: name,
    publicKey: name,
    registrationSignature: name,
    metadata,
    aiAgent: agentSchema.optional(),
  })
  .meta({ id: 'PublishedEntityRequest' });

/** The acting entity: the id of a stored entity, or a new entity. */
export const provenanceKitWho = provenanceKitEntityRequest
  .omit({ aiAgent: true })
  .partial({ role: true })
  .meta({ id: 'PublishedWho' });

type ProvenanceKitEntityRequest = z.output<typeof provenanceKitEntityRequest>;

const aiTool = z.looseObject({ provider: z.string(), model: z.string(), version: name });

export const provenanceKitActivityRequest = z
  .object({
    entity: provenanceKitEntityRequest,
    action: z
      .object({
        type: z.string().default('create'),
        inputCids: z.array(z.string()).default([]),
        toolCid: name,
        proof: name,
        actionProof: z
          .object({
            algorithm: z.string(),
            publicKey: z.string(),
            signature: z.string(),
            timestamp: z.string(),
          })
          .optional(),
        extensions: z.record(z.string(), z.unknown()).default({}),
        aiTool: aiTool.optional(),
        toolAttestation: z.looseObject({ level: z.string() }).optional(),
      })
      .prefault({}),
    resourceType: name,
    resourceExtensions: z.record(z.string(), z.unknown()).optional(),
    sessionId: name,
    encrypt: z
      .literal(false, 'This service does not encrypt: encrypt the file before you send it')
      .optional(),
    attribution: provenanceKitAttributionRequest.optional(),
  })
  .meta({ id: 'PublishedActivityRequest' });

type ProvenanceKitActionRequest = z.output<typeof provenanceKitActivityRequest>['action'];

/** Throws 422 with the invalid members. */
export function toEntityInput(sent: ProvenanceKitEntityRequest): EntityInput {
  return parseBody(entityInputSchema, toEntity(sent));
}

export function toWho(sent: z.output<typeof provenanceKitWho>): Who {
  const { role, ...entity } = toEntityInput({ ...sent, role: sent.role ?? 'human' });
  return sent.role === undefined ? entity : { ...entity, role };
}

/** Throws 422 with the invalid members. */
export function toActivityInput(json: unknown): ActivityInput {
  const { entity, action, resourceType, resourceExtensions, sessionId, attribution } = parseBody(
    provenanceKitActivityRequest,
    json,
  );
  const extensions = {
    ...toAttributionExtensions(attribution ?? {}),
    ...(resourceExtensions === undefined ? {} : { [RESOURCE_EXTENSION]: resourceExtensions }),
  };
  return parseBody(activityInputSchema, {
    entity: toEntity(entity),
    action: toAction(action),
    ...present({ resourceType, sessionId }),
    ...(Object.keys(extensions).length === 0 ? {} : { attribution: { extensions } }),
  });
}

const ROLES = ['human', 'ai', 'organization'];
const TYPES = ['create', 'reference', 'generate', 'transform', 'aggregate', 'verify'];

/** A role that this service does not list becomes a custom role. */
export function toRole(role: string): string {
  return ownWord(role, ROLES);
}

function ownWord(word: string, listed: readonly string[]): string {
  return listed.includes(word) || !/^[a-zA-Z]\w*$/.test(word) ? word : `ext:${word}`;
}

/** Reads the wallet from its member or from the metadata, where responses show it. */
function toEntity({ role, metadata, wallet, aiAgent, ...rest }: ProvenanceKitEntityRequest): object {
  const { wallet: shown, ...others } = metadata ?? {};
  return {
    ...rest,
    role: toRole(role),
    ...present({ wallet: wallet ?? (typeof shown === 'string' ? shown : undefined) }),
    ...(Object.keys(others).length === 0 ? {} : { metadata: others }),
    ...(aiAgent === undefined ? {} : { extensions: { [AI_EXTENSION]: { agent: aiAgent } } }),
  };
}

function toAction({
  type,
  inputCids,
  actionProof,
  extensions,
  aiTool,
  ...more
}: ProvenanceKitActionRequest): object {
  const { toolAttestation, toolCid, proof } = more;
  const asked = present({ toolCid, proof });
  return {
    type: ownWord(type, TYPES),
    inputCids,
    ...present({ proof: actionProof }),
    ...(aiTool === undefined ? {} : { aiTool: pickTool(aiTool) }),
    extensions: {
      ...(aiTool === undefined ? {} : { [AI_EXTENSION]: { ...pickTool(aiTool), tool: aiTool } }),
      ...(toolAttestation === undefined ? {} : { 'ext:tool-attestation@1.0.0': toolAttestation }),
      ...(Object.keys(asked).length === 0 ? {} : { [REQUEST_EXTENSION]: asked }),
      ...extensions,
    },
  };
}

function pickTool({ provider, model, version }: z.output<typeof aiTool>): object {
  return { provider, model, ...present({ version }) };
}

function present(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
