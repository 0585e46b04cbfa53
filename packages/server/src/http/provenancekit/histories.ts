import { type Bundle, contentIdSchema, type Session, sessionIdSchema, toGraph } from '@colophon/model';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { toText } from '../../platform/json-text.js';
import { MAX_ANSWER_ACTIONS, MAX_PARSED_BYTES } from '../../records/read/answer-size.js';
import { readBundleText, readSession } from '../../records/read/read-histories.js';
import type { App, AppDeps, RecordRouteDeps } from '../app.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf } from '../wire/error-schemas.js';
import { wholeNumberQuery } from '../wire/list-query.js';
import { projectOf } from '../wire/principal-of.js';
import { toProvenanceKitGraph } from './graph.js';
import {
  canonicalBy,
  provenanceKitActionSchema,
  provenanceKitAttributionSchema,
  provenanceKitEntitySchema,
  provenanceKitResourceSchema,
  toProvenanceKitAction,
  toProvenanceKitAttribution,
  toProvenanceKitEntity,
  toProvenanceKitResources,
} from './record-schemas.js';

const MAX_DEPTH = 100;
const CONTEXT = 'https://provenancekit.com/context/v2';

const records = {
  entities: z.array(provenanceKitEntitySchema),
  resources: z.array(provenanceKitResourceSchema),
  actions: z.array(provenanceKitActionSchema),
  attributions: z.array(provenanceKitAttributionSchema),
};
const bundleSchema = z.looseObject({ context: z.string(), ...records }).meta({ id: 'PublishedBundle' });
const count = z.int().nonnegative();
const sessionSchema = z
  .looseObject({
    sessionId: z.string(),
    ...records,
    summary: z.object({ actions: count, resources: count, entities: count, attributions: count }),
  })
  .meta({ id: 'PublishedSession' });
const nodeSchema = z.looseObject({
  id: z.string(),
  type: z.enum(['resource', 'action', 'entity']),
  label: z.string(),
  data: z.record(z.string(), z.unknown()),
});
const graphSchema = z
  .looseObject({
    nodes: z.array(nodeSchema),
    edges: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        type: z.enum(['produces', 'performedBy', 'consumes', 'tool']),
      }),
    ),
  })
  .meta({ id: 'PublishedGraph' });

const params = z.object({ cid: contentIdSchema });

/** `/bundle`, `/provenance`, `/graph` and `/session`: histories, each list oldest first. */
export function historyRoutes(app: App, deps: RecordRouteDeps): void {
  getBundle(app, deps, { path: '/bundle/:cid', operationId: 'compatGetBundle' });
  getBundle(app, deps, { path: '/provenance/:cid', operationId: 'compatGetProvenance' });
  getGraph(app, deps);
  getSession(app, deps);
}

function getBundle(app: App, deps: RecordRouteDeps, at: { path: string; operationId: string }): void {
  app.get(
    at.path,
    {
      schema: {
        operationId: at.operationId,
        summary: 'The history of a content: all content that it was made from, and who made it',
        params,
        response: { 200: bundleSchema, ...errorsOf('InvalidField', 'NotFound') },
      },
    },
    async (request, reply) => {
      const { cid } = request.params as z.output<typeof params>;
      const bundle = await readBundle(deps, request, { cid, signal: signalOfCaller(reply) });
      if (bundle === undefined) throw new ServiceError('NotFound', `Resource not found: ${cid}`);
      return { context: CONTEXT, ...bundle, ...toProvenanceKitLists(bundle) };
    },
  );
}

function getGraph(app: App, deps: RecordRouteDeps): void {
  app.get(
    '/graph/:cid',
    {
      schema: {
        operationId: 'compatGetGraph',
        summary: 'The history of a CID as nodes and edges; both are empty when the CID is unknown',
        params,
        querystring: z.object({ depth: wholeNumberQuery(1, MAX_DEPTH).default(10) }),
        response: { 200: graphSchema, ...errorsOf('InvalidField') },
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const { depth } = request.query;
      const bundle = await readBundle(deps, request, { cid, depth, signal: signalOfCaller(reply) });
      return bundle === undefined ? { nodes: [], edges: [] } : toProvenanceKitGraph(toGraph(bundle), bundle);
    },
  );
}

function getSession(app: App, deps: RecordRouteDeps): void {
  app.get(
    '/session/:id/provenance',
    {
      schema: {
        operationId: 'compatGetSession',
        summary: 'All records of one session; empty for an unknown session',
        params: z.object({ id: sessionIdSchema }),
        querystring: z.object({
          projectId: z
            .string()
            .max(256)
            .optional()
            .meta({ description: 'Ignored: the key determines the project' }),
        }),
        response: { 200: sessionSchema, ...errorsOf('InvalidField') },
      },
    },
    async (request, reply) => {
      const signal = signalOfCaller(reply);
      const options = {
        sessionId: request.params.id,
        limit: MAX_ANSWER_ACTIONS,
        maxBytes: MAX_PARSED_BYTES,
        signal,
      };
      const { text } = await readSession(deps.records, projectOf(request), options);
      const session = JSON.parse(toText(text)) as Session;
      return { ...session, ...toProvenanceKitLists(session) };
    },
  );
}

async function readBundle(
  { records }: Pick<AppDeps, 'records'>,
  request: FastifyRequest,
  asked: { cid: string; depth?: number; signal: AbortSignal },
): Promise<Bundle | undefined> {
  const options = {
    depth: undefined,
    ...asked,
    direction: 'ancestors',
    limit: MAX_ANSWER_ACTIONS,
    maxBytes: MAX_PARSED_BYTES,
  } as const;
  const text = await readBundleText(records, projectOf(request), options);
  return text === undefined ? undefined : (JSON.parse(toText(text)) as Bundle);
}

function toProvenanceKitLists({ entities, actions, attributions, resources, aliases }: Bundle | Session) {
  const canonical = canonicalBy(aliases);
  const named = attributions.map((one) =>
    one.resourceCid === undefined ? one : { ...one, resourceCid: canonical(one.resourceCid) },
  );
  return {
    entities: entities.map(toProvenanceKitEntity),
    resources: toProvenanceKitResources(resources, named),
    actions: actions.map((action) => toProvenanceKitAction(action, canonical)),
    attributions: attributions.map((one) => toProvenanceKitAttribution(one, canonical)),
  };
}
