import { type Bundle, contentIdSchema, type Session, sessionIdSchema } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { mapYielding } from '../../platform/work/map-yielding.js';
import { MAX_ANSWER_ACTIONS } from '../../records/read/answer-size.js';
import {
  type ParsedHistory,
  readParsedBundle,
  readParsedSession,
} from '../../records/read/parsed-history.js';
import { writeJson } from '../../records/read/write-json.js';
import type { App, AppDeps } from '../app.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, readyMade } from '../wire/error-schemas.js';
import { wholeNumberQuery } from '../wire/list-query.js';
import { projectOf } from '../wire/principal-of.js';
import { sendPieces } from '../wire/send-answer.js';
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

export function historyRoutes(app: App, deps: Pick<AppDeps, 'records'>): void {
  getBundle(app, deps, { path: '/bundle/:cid', operationId: 'compatGetBundle' });
  getBundle(app, deps, { path: '/provenance/:cid', operationId: 'compatGetProvenance' });
  getGraph(app, deps);
  getSession(app, deps);
}

function getBundle(
  app: App,
  deps: Pick<AppDeps, 'records'>,
  at: { path: string; operationId: string },
): void {
  app.get(
    at.path,
    {
      schema: {
        operationId: at.operationId,
        summary: 'The history of a content: all content that it was made from, and who made it',
        params,
        response: readyMade({ 200: bundleSchema, ...errorsOf('InvalidField', 'NotFound') }),
      },
    },
    async (request, reply) => {
      const { cid } = request.params as z.output<typeof params>;
      const found = await readBundle(deps, request, { cid, signal: signalOfCaller(reply) });
      if (found === undefined) throw new ServiceError('NotFound', `Resource not found: ${cid}`);
      return sendConverted(deps, { request, reply, found }, async (bundle, signal) => ({
        context: CONTEXT,
        ...bundle,
        ...(await toProvenanceKitLists(bundle, signal)),
      }));
    },
  );
}

function getGraph(app: App, deps: Pick<AppDeps, 'records'>): void {
  app.get(
    '/graph/:cid',
    {
      schema: {
        operationId: 'compatGetGraph',
        summary: 'The history of a CID as nodes and edges; both are empty when the CID is unknown',
        params,
        querystring: z.object({ depth: wholeNumberQuery(1, MAX_DEPTH).default(10) }),
        response: readyMade({ 200: graphSchema, ...errorsOf('InvalidField') }),
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const { depth } = request.query;
      const found = await readBundle(deps, request, { cid, depth, signal: signalOfCaller(reply) });
      if (found === undefined) return { nodes: [], edges: [] };
      return sendConverted(deps, { request, reply, found }, toProvenanceKitGraph);
    },
  );
}

function getSession(app: App, deps: Pick<AppDeps, 'records'>): void {
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
        response: readyMade({ 200: sessionSchema, ...errorsOf('InvalidField') }),
      },
    },
    async (request, reply) => {
      const options = {
        sessionId: request.params.id,
        limit: MAX_ANSWER_ACTIONS,
        signal: signalOfCaller(reply),
      };
      const found = await readParsedSession(deps.records, projectOf(request), options);
      return sendConverted(deps, { request, reply, found }, async (session, running) => ({
        ...session,
        ...(await toProvenanceKitLists(session, running)),
      }));
    },
  );
}

async function readBundle(
  { records }: Pick<AppDeps, 'records'>,
  request: FastifyRequest,
  asked: { cid: string; depth?: number; signal: AbortSignal },
): Promise<ParsedHistory<Bundle> | undefined> {
  const options = { depth: undefined, ...asked, direction: 'ancestors', limit: MAX_ANSWER_ACTIONS } as const;
  return readParsedBundle(records, projectOf(request), options);
}

/** The conversion of a long history takes a few tenths of a second, so it waits in the fair queue. */
async function sendConverted<History>(
  { records: { scheduler } }: Pick<AppDeps, 'records'>,
  { request, reply, found }: { request: FastifyRequest; reply: FastifyReply; found: ParsedHistory<History> },
  convert: (history: History, signal: AbortSignal) => Promise<object>,
): Promise<FastifyReply> {
  const write = async (signal: AbortSignal) =>
    writeJson(await convert(found.history, signal), { form: 'plain', signal });
  const signal = signalOfCaller(reply);
  if (!found.isLong) return sendPieces(reply, await write(signal));
  const turn = { projectId: projectOf(request), kind: 'history', signal } as const;
  return sendPieces(reply, await scheduler.run(turn, write));
}

async function toProvenanceKitLists(
  { entities, actions, attributions, resources, aliases }: Bundle | Session,
  signal: AbortSignal,
) {
  const canonical = canonicalBy(aliases);
  const named = attributions.map((one) =>
    one.resourceCid === undefined ? one : { ...one, resourceCid: canonical(one.resourceCid) },
  );
  return {
    entities: await mapYielding(entities, toProvenanceKitEntity, signal),
    resources: toProvenanceKitResources(resources, named),
    actions: await mapYielding(actions, (action) => toProvenanceKitAction(action, canonical), signal),
    attributions: await mapYielding(
      attributions,
      (one) => toProvenanceKitAttribution(one, canonical),
      signal,
    ),
  };
}
