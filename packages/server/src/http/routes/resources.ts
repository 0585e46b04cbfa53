import { Readable } from 'node:stream';
import {
  CAR_MEDIA_TYPE,
  contentIdSchema,
  contentTitleSchema,
  titledResourceSchema,
  titlePatchSchema,
} from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ByteRange } from '../../blobs/blob-store.js';
import { untilAborted } from '../../platform/db/database.js';
import { searchText } from '../../records/matching/search-text.js';
import { type Content, type OpenCar, requireContent } from '../../records/pinning/read-content.js';
import { absent } from '../../records/read/absent.js';
import { answerList } from '../../records/read/list-records.js';
import { readResource } from '../../records/read/records.sql.js';
import { readTitles } from '../../records/read/titles.sql.js';
import { updateTitle } from '../../records/write/update-title.js';
import type { App, AppDeps } from '../app.js';
import { recordDepsFor } from '../handlers/record-deps-for.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { enforceLength } from '../wire/enforce-length.js';
import { errorsOf, readyMade } from '../wire/error-schemas.js';
import { matches } from '../wire/etag.js';
import { countAnswerMemory } from '../wire/limit-unread-answers.js';
import { listAnswer } from '../wire/list-query.js';
import { parseRange } from '../wire/parse-range.js';
import { projectOf } from '../wire/principal-of.js';
import { sendAnswer } from '../wire/send-answer.js';
import { MAX_LIKE, resourceQuery, toResourceFilters } from './resource-query.js';

const params = z.object({ cid: contentIdSchema });
const contentQuery = z.object({
  format: z
    .enum(['car'])
    .optional()
    .meta({ description: '`car`: the blocks of the UnixFS file as a CARv1 (IPIP-402), for IPFS' }),
});
const bytesSchema = z.string().meta({ contentMediaType: 'application/octet-stream' });

/** Approximate memory of a CAR that is sent: a few leaves of 1 MiB. */
const CAR_MEMORY_BYTES = 4 * 2 ** 20;
const MAX_TITLES = 500;

// `v1Table` runs twice, but the API document needs one schema for each id. So the module creates each schema once.
const titlesRequestSchema = z
  .strictObject({ cids: z.array(contentIdSchema).min(1).max(MAX_TITLES) })
  .meta({ id: 'TitlesRequest' });
const titlesSchema = z.object({ titles: z.record(z.string(), z.string()) }).meta({ id: 'Titles' });

export function resourceRoutes(app: App, deps: Pick<AppDeps, 'records' | 'limits'>): void {
  list(app, deps);
  getOne(app, deps);
  updateOne(app, deps);
  listTitles(app, deps);
  getContent(app, deps);
}

function list(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/resources',
    {
      schema: {
        operationId: 'listResources',
        tags: ['records'],
        summary: 'List content, newest first',
        querystring: resourceQuery,
        response: readyMade({
          200: listAnswer('resources', titledResourceSchema),
          ...errorsOf('InvalidField', 'EmbeddingFailed'),
        }),
      },
    },
    async (request, reply) => {
      const { text, limit, cursor, offset, ...filtering } = request.query;
      const projectId = projectOf(request);
      const signal = signalOfCaller(reply);
      const query = { limit: MAX_LIKE, minScore: 0, signal };
      const found = text === undefined ? undefined : await searchText(records, projectId, { text, ...query });
      const cids = found?.matches.map(({ cid }) => cid).join(' ');
      const filters = { ...toResourceFilters(filtering), cids };
      const options = { name: 'resources', page: { limit, cursor, offset, filters }, signal } as const;
      return sendAnswer(reply, await answerList(records, projectId, options));
    },
  );
}

function getOne(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/resource/:cid',
    {
      schema: {
        operationId: 'getResource',
        tags: ['records'],
        summary: 'Get the description of a content',
        params,
        response: readyMade({ 200: titledResourceSchema, ...errorsOf('InvalidField', 'NotFound') }),
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const projectId = projectOf(request);
      const read = () => readResource(records.reads, projectId, cid);
      const answer = await records.answers.answer(projectId, `resource ${cid}`, read);
      return sendAnswer(reply, answer, () =>
        absent('content', cid, `There is no resource ${cid} in this project.`),
      );
    },
  );
}

function updateOne(app: App, deps: Pick<AppDeps, 'records'>): void {
  app.patch(
    '/v1/resource/:cid',
    {
      config: { permission: 'write' },
      schema: {
        operationId: 'updateResource',
        tags: ['records'],
        summary: 'Set or remove the title of a content; no record changes',
        params,
        body: titlePatchSchema,
        response: {
          200: contentTitleSchema,
          ...errorsOf('InvalidField', 'NotFound', 'ValidationError', 'PayloadTooLarge', 'Unsupported'),
        },
      },
    },
    (request, reply) => {
      const change = { cid: request.params.cid, ...request.body, signal: signalOfCaller(reply) };
      return updateTitle(recordDepsFor(deps, request), projectOf(request), change);
    },
  );
}

function listTitles(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.post(
    '/v1/titles',
    {
      schema: {
        operationId: 'listTitles',
        tags: ['records'],
        summary: 'Read the titles of contents; the response has no entry for content without a title',
        body: titlesRequestSchema,
        response: {
          200: titlesSchema,
          ...errorsOf('InvalidField', 'ValidationError', 'PayloadTooLarge', 'Unsupported'),
        },
      },
    },
    async (request, reply) => {
      const projectId = projectOf(request);
      const turn = { projectId, kind: 'history', signal: signalOfCaller(reply) } as const;
      const { cids } = request.body;
      const read = (running: AbortSignal) =>
        readTitles(untilAborted(records.reads, running), projectId, cids);
      return { titles: await records.scheduler.run(turn, read) };
    },
  );
}

function getContent(app: App, { records, limits }: Pick<AppDeps, 'records' | 'limits'>): void {
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const { cid } = request.params as { cid: string };
    const caller = { projectId: projectOf(request), signal: signalOfCaller(reply) };
    const content = await requireContent({ ...records, provenance: records.reads }, caller.projectId, {
      cid,
      signal: caller.signal,
    });
    if (asksForCar(request)) {
      const open = () => {
        const sizeBytes = Math.min(CAR_MEMORY_BYTES, 2 * content.sizeBytes);
        countAnswerMemory(limits.answers, reply, { projectId: caller.projectId, sizeBytes });
        return records.openCar(content, caller);
      };
      return sendCar(request, reply, { content, open });
    }
    const etag = `"${content.contentDigest}"`;
    if (matches(request.headers['if-none-match'], etag)) return reply.code(304).header('etag', etag).send();
    // Only GET supports ranges (RFC 9110 §14.2).
    const isHead = request.method === 'HEAD';
    const range = isHead ? undefined : readRange(request, etag, content.sizeBytes);
    const body = isHead ? undefined : await content.open(range);
    reply.headers({ ...bytesHeaders(content), ...reservation(request), etag });
    return sendBytes(reply, { content, range, body });
  };
  app.get(
    '/v1/resource/:cid/content',
    {
      exposeHeadRoute: false,
      config: { sendsBytes: true },
      schema: {
        operationId: 'getContent',
        tags: ['records'],
        summary: 'Read the bytes of a content, in whole or in part, or as a CAR',
        params,
        querystring: contentQuery,
        headers: z.looseObject({ range: z.string().optional().meta({ description: 'RFC 9110 §14.2' }) }),
        response: readyMade({
          200: bytesSchema.describe('The bytes'),
          206: bytesSchema.describe('The range'),
          304: z.null().describe('Not modified: the client has the bytes'),
          ...errorsOf('InvalidField', 'NotFound', 'RangeNotSatisfiable'),
        }),
      },
    },
    send,
  );
  app.head(
    '/v1/resource/:cid/content',
    { config: { sendsBytes: true }, schema: { hide: true, params, querystring: contentQuery } },
    send,
  );
}

/** Returns undefined without a range, and when `If-Range` names another version (RFC 9110 §13.1.5). */
function readRange({ headers }: FastifyRequest, etag: string, sizeBytes: number): ByteRange | undefined {
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== etag) return undefined;
  return parseRange(headers.range, sizeBytes);
}

function bytesHeaders({ cid, mimeType, contentDigest }: Content): Record<string, string> {
  return {
    'content-type': mimeType,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=31536000, immutable',
    'content-disposition': `attachment; filename="${cid}"`,
    'content-security-policy': "sandbox; default-src 'none'",
    'repr-digest': reprDigest(contentDigest),
    // A cache may use the response only for the same key: a project must not see the content of another project.
    vary: 'accept, authorization',
  };
}

/** The digest of the whole content, even for a part of it (RFC 9530 §3). */
function reprDigest(contentDigest: string): string {
  return `sha-256=:${Buffer.from(contentDigest.slice('sha256:'.length), 'hex').toString('base64')}:`;
}

/** Returns the header of a project that reserves the rights to mine its content (W3C TDM Reservation Protocol §6.2). */
export function reservation({ principal }: FastifyRequest): Record<string, string> {
  return principal?.aiTrainingOptOut ? { 'tdm-reservation': '1' } : {};
}

function asksForCar({ query, headers }: FastifyRequest): boolean {
  const { format } = query as z.output<typeof contentQuery>;
  return format === 'car' || /(?:^|,)\s*application\/vnd\.ipld\.car\b/.test(headers.accept ?? '');
}

/** The caller can check each block, and can check that all blocks together match the CID. */
async function sendCar(
  request: FastifyRequest,
  reply: FastifyReply,
  { content, open }: { content: Content; open: () => ReturnType<OpenCar> },
): Promise<FastifyReply> {
  const { cid, contentDigest } = content;
  const etag = `"${contentDigest}.car"`;
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).header('etag', etag).send();
  const car = request.method === 'HEAD' ? '' : Readable.from(await open());
  reply.headers({ ...bytesHeaders(content), ...reservation(request), etag });
  reply.removeHeader('repr-digest');
  reply.headers({
    'content-type': CAR_MEDIA_TYPE,
    'accept-ranges': 'none',
    'content-disposition': `attachment; filename="${cid}.car"`,
  });
  return reply.send(car);
}

interface Sending {
  content: Content;
  range: ByteRange | undefined;
  body: AsyncIterable<Uint8Array> | undefined;
}

function sendBytes(reply: FastifyReply, { content: { sizeBytes }, range, body }: Sending): FastifyReply {
  if (range !== undefined) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`);
  }
  const length = range === undefined ? sizeBytes : range.end - range.start + 1;
  reply.header('content-length', length);
  return reply.send(body === undefined ? '' : enforceLength(body, length));
}
