import { Readable } from 'node:stream';
import {
  type EmbedInput,
  embedInputSchema,
  type MediaImport,
  mediaEmbeddingSchema,
  mediaExtractionSchema,
  mediaFormatsSchema,
  mediaImportSchema,
  mediaVerificationSchema,
} from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { MEDIA_FORMATS } from '../../media/formats.js';
import { embedCredentials } from '../../records/credentials/embed-credentials.js';
import { requestOf } from '../../records/credentials/embedding.js';
import { extractCredentials, verifyCredentials } from '../../records/credentials/extract-credentials.js';
import { importCredentials } from '../../records/credentials/import-credentials.js';
import type { StagedMedia } from '../../records/draft/stage-media.js';
import { requireContent } from '../../records/pinning/read-content.js';
import type { App, AppDeps, RecordReadDeps, RecordWriteDeps } from '../app.js';
import { idempotently } from '../handlers/idempotency.js';
import { linkReceipt, preferredReceipt } from '../handlers/preferred-receipt.js';
import { withFile } from '../handlers/read-media.js';
import { recordDepsFor } from '../handlers/record-deps-for.js';
import { answerRecordedMedia, readClaimedMedia } from '../handlers/record-media.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, readyMade } from '../wire/error-schemas.js';
import { preferenceFor } from '../wire/negotiate.js';
import { postOrWaitHeader, preferHeader } from '../wire/preferences.js';
import { projectOf } from '../wire/principal-of.js';
import type { Upload } from '../wire/read-upload.js';

const fileSchema = z
  .string()
  .meta({ contentMediaType: 'application/octet-stream', description: 'The media file' });
const fileForm = z.object({ file: fileSchema }).meta({ id: 'MediaForm' });
const embedForm = z
  .object({
    file: fileSchema,
    json: embedInputSchema.meta({ description: 'The claims to sign and record, as JSON text' }),
  })
  .meta({ id: 'EmbedForm' });
const READ_ERRORS = errorsOf('MissingField', 'PayloadTooLarge', 'Unsupported');

export function mediaRoutes(app: App, deps: RecordWriteDeps & Pick<AppDeps, 'credentials'>): void {
  formats(app, deps);
  extract(app, deps);
  verify(app, deps);
  importFile(app, deps);
  embed(app, deps);
}

function formats(app: App, { credentials }: Pick<AppDeps, 'credentials'>): void {
  app.get(
    '/v1/media/formats',
    {
      schema: {
        operationId: 'listMediaFormats',
        tags: ['media'],
        summary:
          'The formats from which the service reads Content Credentials, and into which it writes them',
        response: { 200: mediaFormatsSchema, ...errorsOf() },
      },
    },
    async () => {
      const { available } = await credentials.engine.get();
      return {
        available: available === true,
        ...(available === true ? {} : { reason: available.reason }),
        maxBytes: credentials.maxMediaBytes,
        formats: MEDIA_FORMATS.map(({ name, mediaType, extensions, read, write }) => ({
          name,
          mediaType,
          extensions: [...extensions],
          read,
          write,
        })),
      };
    },
  );
}

function extract(app: App, deps: Pick<AppDeps, 'records' | 'credentials'>): void {
  app.post(
    '/v1/media/extract',
    {
      config: { multipartBody: fileForm },
      schema: {
        operationId: 'extractCredentials',
        tags: ['media'],
        summary: 'Read the Content Credentials of a file, as manifest and as records; nothing is stored',
        response: readyMade({ 200: mediaExtractionSchema, ...READ_ERRORS }),
      },
    },
    async (request, reply) =>
      withFile(deps, request, (media) =>
        extractCredentials(deps.credentials, projectOf(request), { ...media, signal: signalOfCaller(reply) }),
      ),
  );
}

function verify(app: App, deps: Pick<AppDeps, 'records' | 'credentials'>): void {
  app.post(
    '/v1/media/verify',
    {
      config: { multipartBody: fileForm },
      schema: {
        operationId: 'verifyCredentials',
        tags: ['media'],
        summary: 'Verify the Content Credentials of a file; nothing is stored',
        response: readyMade({ 200: mediaVerificationSchema, ...READ_ERRORS }),
      },
    },
    async (request, reply) =>
      withFile(deps, request, (media) =>
        verifyCredentials(deps.credentials, projectOf(request), { ...media, signal: signalOfCaller(reply) }),
      ),
  );
}

function importFile(app: App, deps: RecordReadDeps & Pick<AppDeps, 'credentials'>): void {
  app.post(
    '/v1/media/import',
    {
      config: { permission: 'write', multipartBody: fileForm },
      schema: {
        operationId: 'importCredentials',
        tags: ['media'],
        summary: 'Record a file and all claims of its valid Content Credentials; safe to repeat',
        headers: preferHeader,
        response: {
          201: mediaImportSchema,
          ...errorsOf('MissingField', 'ValidationError', 'PayloadTooLarge', 'Unsupported'),
        },
      },
    },
    async (request, reply) =>
      withFile(deps, request, async (media) => {
        const { credentials } = deps;
        const records = recordDepsFor(deps, request);
        const awaited = { ...media, signal: signalOfCaller(reply) };
        const asked = { media: awaited };
        const imported = await importCredentials({ records, credentials }, projectOf(request), asked);
        return sendImport(deps, { request, reply }, imported);
      }),
  );
}

/** Links the receipt of the last action, which made the file. Callers find the receipts of the other actions by id. */
async function sendImport(
  deps: RecordReadDeps,
  exchange: MediaExchange,
  answer: MediaImport,
): Promise<FastifyReply> {
  const { reply } = exchange;
  const id = answer.actionIds.at(-1);
  if (id === undefined) return reply.code(201).send(answer);
  linkReceipt(reply, 'action', id).code(201);
  return reply.send({ ...answer, ...(await preferredReceipt(deps, exchange, { kind: 'action', id })) });
}

function embed(app: App, deps: RecordWriteDeps & Pick<AppDeps, 'credentials'>): void {
  app.post(
    '/v1/media/embed',
    {
      config: { permission: 'write', multipartBody: embedForm, sendsBytes: true },
      schema: {
        operationId: 'embedCredentials',
        tags: ['media'],
        summary:
          'Sign a copy of a file with the claims of the request, and record the copy; the file itself does not change',
        headers: postOrWaitHeader,
        response: readyMade({
          201: mediaEmbeddingSchema.describe(
            'Signed and recorded; the response is the signed file if Accept prefers its type to JSON',
          ),
          200: mediaEmbeddingSchema.describe('Already signed and recorded by the same request'),
          ...errorsOf(
            'MissingField',
            'ValidationError',
            'NotFound',
            'Conflict',
            'PayloadTooLarge',
            'Unsupported',
          ),
        }),
      },
    },
    async (request, reply) => {
      const upload = await readClaimedMedia(request, deps, embedInputSchema);
      try {
        return await embedUpload(deps, { request, reply, upload });
      } finally {
        await upload.discard();
      }
    },
  );
}

interface MediaExchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

interface EmbedCall extends MediaExchange {
  upload: Upload<EmbedInput, StagedMedia>;
}

function embedUpload(
  deps: RecordWriteDeps & Pick<AppDeps, 'credentials'>,
  { request, reply, upload }: EmbedCall,
): Promise<FastifyReply> {
  const { file: media, others: parts, input } = upload;
  const sendsBytes = wantsBytes(request, media.mediaType);
  const projectId = projectOf(request);
  const asked = requestOf({ input, media, parts });
  return idempotently({ deps, request, asked }, async (records) => {
    const { credentials } = deps;
    const signal = signalOfCaller(reply);
    const embedding = { input, media, parts, signal };
    const embedded = await embedCredentials({ records, credentials }, projectId, embedding);
    const waited = await answerRecordedMedia(deps, { request, reply }, embedded);
    const { isNew: _new, replayed: _replayed, ...answer } = embedded;
    if (!sendsBytes) {
      const recorded = { kind: 'action', id: answer.actionId } as const;
      const receipt = await preferredReceipt(deps, { request, reply }, recorded);
      return reply.send({ ...answer, ...waited, ...receipt });
    }
    const content = await requireContent(records, projectId, { cid: answer.cid, signal });
    return reply
      .headers({
        'content-type': content.mimeType,
        'content-length': content.sizeBytes,
        'content-disposition': `attachment; filename="${answer.cid}"`,
        'content-security-policy': "sandbox; default-src 'none'",
        'colophon-cid': answer.cid,
        'colophon-action-id': answer.actionId,
      })
      .send(Readable.from(await content.open()));
  });
}

/** Whether the caller prefers the signed file to JSON. Throws `NotAcceptable` when `Accept` allows neither. */
function wantsBytes({ headers: { accept } }: FastifyRequest, mediaType: string): boolean {
  const [json, ...bytes] = ['application/json', mediaType, 'application/octet-stream'].map((type) =>
    preferenceFor(accept, type),
  );
  const best = Math.max(...bytes);
  if ((json ?? 0) > 0 || best > 0) return best > (json ?? 0);
  throw new ServiceError(
    'NotAcceptable',
    `This response is JSON or ${mediaType}; the Accept header allows neither.`,
  );
}
