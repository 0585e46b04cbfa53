import { Readable } from 'node:stream';
import { contentIdSchema, resourceSchema } from '@colophon/model';
import { z } from 'zod';
import { requireContent } from '../../records/read-content.js';
import { readResourceText } from '../../records/records.sql.js';
import type { App, AppNeeds } from '../app.js';
import { matches } from '../etag.js';
import { parseRange } from '../parse-range.js';
import { sendJsonText } from '../send-json-text.js';
import { errorsOf, readyMade } from './errors-of.js';
import { projectOf } from './holder.js';

const params = z.object({ cid: contentIdSchema });

/** `/v1/resource/:cid` and its bytes. */
export function resourceRoutes(app: App, needs: AppNeeds): void {
  getOne(app, needs);
  getContent(app, needs);
}

function getOne(app: App, { records }: AppNeeds): void {
  app.get(
    '/v1/resource/:cid',
    {
      schema: {
        operationId: 'getResource',
        tags: ['records'],
        summary: 'What is known of a content',
        params,
        response: readyMade({ 200: resourceSchema, ...errorsOf('InvalidField', 'NotFound') }),
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const text = await readResourceText(records.provenance, projectOf(request), cid);
      return sendJsonText(reply, text, `There is no resource ${cid} in this project.`);
    },
  );
}

function getContent(app: App, { records }: AppNeeds): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/v1/resource/:cid/content',
    exposeHeadRoute: false,
    config: { sendsBytes: true },
    schema: {
      operationId: 'getContent',
      tags: ['records'],
      summary: 'The bytes of a content, in whole or in part',
      params,
      headers: z.looseObject({ range: z.string().optional() }),
      response: readyMade({
        200: z.string().meta({ contentMediaType: 'application/octet-stream' }).describe('The bytes'),
        206: z.string().meta({ contentMediaType: 'application/octet-stream' }).describe('The range'),
        304: z.null().describe('The client has them'),
        ...errorsOf('InvalidField', 'NotFound', 'RangeNotSatisfiable'),
      }),
    },
    handler: async (request, reply) => {
      const content = await requireContent(records, projectOf(request), request.params.cid);
      const { cid, contentDigest, sizeBytes } = content;
      const etag = `"${contentDigest}"`;
      reply.headers({
        etag,
        'accept-ranges': 'bytes',
        'cache-control': 'private, max-age=31536000, immutable',
        'content-disposition': `attachment; filename="${cid}"`,
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      });
      if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
      const range = parseRange(request.headers.range, sizeBytes);
      if (range !== undefined) {
        reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`);
      }
      reply.type(content.mimeType);
      reply.header('content-length', range === undefined ? sizeBytes : range.end - range.start + 1);
      if (request.method === 'HEAD') return reply.send('');
      return reply.send(Readable.from(await content.open(range)));
    },
  });
}
