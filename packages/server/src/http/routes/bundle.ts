import {
  contentIdSchema,
  graphSchema,
  provenBundleSchema,
  provJsonSchema,
  roCrateSchema,
  sessionIdSchema,
  sessionSchema,
} from '@colophon/model';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { convertHistory } from '../../records/conversion/converter.js';
import { absent } from '../../records/read/absent.js';
import { MAX_ANSWER_ACTIONS } from '../../records/read/answer-size.js';
import { toAnswer } from '../../records/read/answers.js';
import type { BundleQuery } from '../../records/read/histories.sql.js';
import { MAX_PROVEN_ACTIONS, MAX_PROVEN_ITEMS, readProvenBundle } from '../../records/read/prove-bundle.js';
import { readBundle, readSession } from '../../records/read/read-histories.js';
import { writeJson } from '../../records/read/write-json.js';
import type { App, AppDeps, RecordReadDeps } from '../app.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, readyMade } from '../wire/error-schemas.js';
import { proofVersionQuery, wholeNumberQuery } from '../wire/list-query.js';
import { preferenceFor } from '../wire/negotiate.js';
import { absenceHeader, noContentSchema } from '../wire/preferences.js';
import { projectOf } from '../wire/principal-of.js';
import { sendAnswer } from '../wire/send-answer.js';

const MAX_DEPTH = 100;
const GRAPH_DEPTH = 10;
const GRAPH_ACTIONS = 500;

const params = z.object({ cid: contentIdSchema });

const EXPORTS = {
  'prov-json': { mediaType: 'application/prov+json', schema: provJsonSchema },
  'ro-crate': { mediaType: 'application/ld+json', schema: roCrateSchema },
} as const;
type Export = keyof typeof EXPORTS;
const EXPORT_NAMES = ['prov-json', 'ro-crate'] as const;

const BUNDLE_ANSWER = {
  description: 'The bundle, or an export of it',
  content: {
    'application/json': { schema: provenBundleSchema },
    ...Object.fromEntries(Object.values(EXPORTS).map(({ mediaType, schema }) => [mediaType, { schema }])),
  },
};

const historyQuery = (defaults: { limit: number }) => ({
  direction: z
    .enum(['ancestors', 'descendants', 'both'])
    .default('ancestors')
    .meta({ description: 'Part of the history: the ancestors of the content, its descendants, or both' }),
  limit: wholeNumberQuery(1, MAX_ANSWER_ACTIONS).default(defaults.limit).meta({
    description: 'Maximum number of actions; the response has the nearest ones, and at most about 32 MiB',
  }),
});

const depth = wholeNumberQuery(1, MAX_DEPTH).meta({ description: 'Maximum distance in actions' });

export function bundleRoutes(app: App, deps: RecordReadDeps): void {
  getBundle(app, deps);
  getGraph(app, deps);
  getSession(app, deps);
}

function getBundle(
  app: App,
  { records, transparencyLog }: Pick<AppDeps, 'records' | 'transparencyLog'>,
): void {
  app.get(
    '/v1/bundle/:cid',
    {
      config: {
        alsoSends: Object.values(EXPORTS).map(({ mediaType }) => mediaType),
        allowsNoContent: true,
      },
      schema: {
        operationId: 'getBundle',
        tags: ['records'],
        summary: 'The history of a content: all content that it was made from, and who made it',
        params,
        headers: absenceHeader,
        querystring: z.strictObject({
          ...historyQuery({ limit: MAX_ANSWER_ACTIONS }),
          depth: depth.optional(),
          proof: z
            .enum(['true', 'false'])
            .default('false')
            .meta({
              description: `Adds a proof and a signature; the bundle then has at most ${MAX_PROVEN_ACTIONS} actions, and about ${MAX_PROVEN_ITEMS} records and contents`,
            }),
          proofVersion: proofVersionQuery,
          format: z
            .enum(['json', ...EXPORT_NAMES])
            .optional()
            .meta({
              description:
                'Format of the response: JSON, PROV-JSON or RO-Crate; the Accept header can also select it',
            }),
        }),
        response: readyMade({
          200: BUNDLE_ANSWER,
          204: noContentSchema.describe(
            'The project does not know the content, and the caller prefers 204 to 404',
          ),
          ...errorsOf('InvalidField', 'NotFound'),
        }),
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const { direction, limit, depth, proof, proofVersion: version } = request.query;
      const options = { cid, direction, depth, limit };
      const projectId = projectOf(request);
      const form = formOf(request.query.format, request.headers.accept);
      reply.header('vary', 'accept');
      if (proof === 'true') {
        if (form !== 'json') {
          throw new ServiceError('InvalidField', `Only format=json can have a proof, not ${form}.`, {
            recovery: 'Leave out proof, or send format=json.',
          });
        }
        const nearest = { ...options, limit: Math.min(limit, MAX_PROVEN_ACTIONS) };
        const signal = signalOfCaller(reply);
        const name = `proven ${version} ${nameTerms(nearest)}`;
        const answer = await records.answers.answerOf(projectId, name, async () => {
          const proven = await readProvenBundle(transparencyLog, projectId, { ...nearest, version, signal });
          return proven && writeJson(proven, { form: 'plain', signal });
        });
        return sendAnswer(reply, answer, () => unknownContent(cid));
      }
      const answer = await records.answers.answer(projectId, `bundle ${nameTerms(options)}`, () =>
        readBundle(records, projectId, { ...options, signal: signalOfCaller(reply) }),
      );
      if (answer === undefined || form === 'json')
        return sendAnswer(reply, answer, () => unknownContent(cid));
      const exported = await convertHistory(records, projectId, {
        to: form,
        text: answer.body,
        signal: signalOfCaller(reply),
      });
      return sendAnswer(reply, await toAnswer(exported), undefined, EXPORTS[form].mediaType);
    },
  );
}

/** The query decides, or else `Accept`, or else JSON. */
function formOf(format: 'json' | Export | undefined, accept: string | undefined): 'json' | Export {
  if (format !== undefined) return format;
  const wanted = EXPORT_NAMES.map((name) => ({
    name,
    preference: preferenceFor(accept, EXPORTS[name].mediaType),
  }));
  const [best] = wanted.sort((a, b) => b.preference - a.preference);
  return best !== undefined && best.preference > preferenceFor(accept, 'application/json')
    ? best.name
    : 'json';
}

/** Returns the part of the cache key that names the history. */
function nameTerms({ cid, direction, depth, limit }: BundleQuery): string {
  return `${cid} ${direction} ${depth} ${limit}`;
}

function unknownContent(cid: string): ServiceError {
  return absent('content', cid, `This project has no record of ${cid}.`);
}

function getGraph(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/graph/:cid',
    {
      schema: {
        operationId: 'getGraph',
        tags: ['records'],
        summary: 'The history of a CID as nodes and edges',
        params,
        querystring: z.strictObject({
          ...historyQuery({ limit: GRAPH_ACTIONS }),
          depth: depth.default(GRAPH_DEPTH),
        }),
        response: readyMade({ 200: graphSchema, ...errorsOf('InvalidField', 'NotFound') }),
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const projectId = projectOf(request);
      const options = { cid, ...request.query };
      const answer = await records.answers.answer(projectId, `graph ${nameTerms(options)}`, async () => {
        const signal = signalOfCaller(reply);
        const { text, revision } = await readBundle(records, projectId, { ...options, signal });
        return {
          text: text && (await convertHistory(records, projectId, { to: 'graph', text, signal })),
          revision,
        };
      });
      return sendAnswer(reply, answer, () => unknownContent(cid));
    },
  );
}

function getSession(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/session/:id/provenance',
    {
      schema: {
        operationId: 'getSession',
        tags: ['records'],
        summary: 'All records of one session, up to about 32 MiB; empty for an unknown session',
        params: z.object({ id: sessionIdSchema }),
        response: readyMade({ 200: sessionSchema, ...errorsOf('InvalidField') }),
      },
    },
    async (request, reply) => {
      const options = { sessionId: request.params.id, limit: MAX_ANSWER_ACTIONS };
      const projectId = projectOf(request);
      const answer = await records.answers.answer(projectId, `session ${options.sessionId}`, () =>
        readSession(records, projectId, { ...options, signal: signalOfCaller(reply) }),
      );
      return sendAnswer(reply, answer);
    },
  );
}
