import { contentIdSchema, sessionIdSchema } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseBody } from '../../body-fault.js';
import { ServiceError } from '../../errors.js';
import { MEDIA_FORMATS } from '../../media/formats.js';
import { extractCredentials } from '../../records/credentials/extract-credentials.js';
import { importCredentials } from '../../records/credentials/import-credentials.js';
import type { StagedMedia } from '../../records/draft/stage-media.js';
import { readParsedBundle } from '../../records/read/parsed-history.js';
import type { App, AppDeps } from '../app.js';
import { withFile } from '../handlers/read-media.js';
import { recordDepsFor } from '../handlers/record-deps-for.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf } from '../wire/error-schemas.js';
import { projectOf } from '../wire/principal-of.js';
import {
  aiCheckSchema,
  importSchema,
  readSchema,
  toAiCheck,
  toImportResult,
  toReadResult,
  toVerifyResult,
  verifySchema,
} from './media-answers.js';

const file = z.string().meta({ contentMediaType: 'application/octet-stream', description: 'The media file' });
const fileForm = z.object({ file }).meta({ id: 'PublishedMediaForm' });
const importForm = z.object({ file, sessionId: z.string().optional() }).meta({ id: 'PublishedImportForm' });
const formatSchema = z.object({
  mimeType: z.string(),
  extensions: z.array(z.string()),
  canRead: z.boolean(),
  canWrite: z.boolean(),
});
const READ_ERRORS = errorsOf('MissingField', 'PayloadTooLarge', 'Unsupported');

export function mediaRoutes(app: App, deps: Pick<AppDeps, 'records' | 'credentials'>): void {
  formats(app);
  readAndVerify(app, deps);
  importFile(app, deps);
  aiCheck(app, deps);
}

function formats(app: App): void {
  app.get(
    '/media/formats',
    {
      schema: {
        operationId: 'compatListMediaFormats',
        summary:
          'The formats from which the service reads Content Credentials, and into which it writes them',
        response: { 200: z.array(formatSchema), ...errorsOf() },
      },
    },
    async () =>
      MEDIA_FORMATS.map(({ mediaType: mimeType, extensions, read: canRead, write: canWrite }) => ({
        ...{ mimeType, canRead, canWrite },
        extensions: [...extensions],
      })),
  );
}

function readAndVerify(app: App, deps: Pick<AppDeps, 'records' | 'credentials'>): void {
  const config = { multipartBody: fileForm };
  const read = (request: FastifyRequest, reply: FastifyReply, media: StagedMedia) =>
    extractCredentials(deps.credentials, projectOf(request), { ...media, signal: signalOfCaller(reply) });
  app.post(
    '/media/read',
    {
      config,
      schema: {
        operationId: 'compatReadMedia',
        summary: 'Read the Content Credentials of a file, as manifest and as records; nothing is stored',
        response: { 200: readSchema, ...READ_ERRORS },
      },
    },
    async (request, reply) =>
      withFile(deps, request, async (media) => toReadResult(await read(request, reply, media))),
  );
  app.post(
    '/media/verify',
    {
      config,
      schema: {
        operationId: 'compatVerifyMedia',
        summary: 'Verify the Content Credentials of a file; nothing is stored',
        response: { 200: verifySchema, ...READ_ERRORS },
      },
    },
    async (request, reply) =>
      withFile(deps, request, async (media) => toVerifyResult(await read(request, reply, media))),
  );
}

function importFile(app: App, deps: Pick<AppDeps, 'records' | 'credentials'>): void {
  app.post(
    '/media/import',
    {
      config: { permission: 'write', multipartBody: importForm },
      schema: {
        operationId: 'compatImportMedia',
        summary: 'Record a file and all claims of its valid Content Credentials; safe to repeat',
        response: {
          201: importSchema,
          ...errorsOf('MissingField', 'ValidationError', 'PayloadTooLarge', 'Unsupported'),
        },
      },
    },
    async (request, reply) => {
      const run = async (media: StagedMedia, texts: ReadonlyMap<string, string>) => {
        const sessionId = parseBody(sessionIdSchema.optional(), texts.get('sessionId'));
        const projectId = projectOf(request);
        const { credentials } = deps;
        const awaited = { ...media, signal: signalOfCaller(reply) };
        const reading = await extractCredentials(credentials, projectId, awaited);
        const records = recordDepsFor(deps, request);
        const imported = await importCredentials({ records, credentials }, projectId, {
          media: awaited,
          sessionId,
        });
        return reply.code(201).send(toImportResult(imported, reading));
      };
      return withFile(deps, request, run, ['sessionId']);
    },
  );
}

function aiCheck(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/media/ai-check/:cid',
    {
      schema: {
        operationId: 'compatCheckAi',
        summary: 'Whether the record of a content states that AI made it',
        params: z.object({ cid: contentIdSchema }),
        response: { 200: aiCheckSchema, ...errorsOf('InvalidField', 'NotFound') },
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const signal = signalOfCaller(reply);
      const options = { cid, direction: 'ancestors', depth: 1, limit: 100, signal } as const;
      const found = await readParsedBundle(records, projectOf(request), options);
      if (found === undefined) throw new ServiceError('NotFound', `Resource not found: ${cid}`);
      return toAiCheck(found.history);
    },
  );
}
