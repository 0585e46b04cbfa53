import { keyHistorySchema, logEntrySchema, logHashSchema } from '@colophon/model';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { describeLog, readCheckpoint } from '../../transparency-log/checkpoint.js';
import { readConsistency, readInclusion } from '../../transparency-log/prove.js';
import { readKeyHistory } from '../../transparency-log/read-key-history.js';
import { readTile } from '../../transparency-log/read-tile.js';
import type { App, AppDeps, RecordReadDeps } from '../app.js';
import { serveTiles } from '../handlers/serve-tiles.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, readyMade } from '../wire/error-schemas.js';
import { projectOf } from '../wire/principal-of.js';

const MAX_RECORD_ID_LENGTH = 512;

const count = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number of at most 15 digits')
  .transform(Number)
  .meta({ type: 'integer', minimum: 0, pattern: undefined });

const logSchema = z
  .object({
    origin: z.string().meta({ description: 'Name of the log' }),
    verifierKey: z.string().meta({ description: 'C2SP signed-note: `<origin>+<key id>+<base64>`' }),
    publicKey: z.string().meta({ description: 'Ed25519, 64 hex digits' }),
    size: z.int().meta({ description: 'Number of leaves' }),
  })
  .meta({ id: 'Log' });

const consistencySchema = z
  .object({ from: z.int(), to: z.int(), consistencyPath: z.array(logHashSchema) })
  .meta({ id: 'ConsistencyProof' });

const size = count.optional().meta({ description: 'Number of leaves of the tree; default: all' });

const inclusionQuery = z
  .strictObject({
    leafIndex: count.optional().meta({ description: 'Index of the leaf; send either leafIndex or recordId' }),
    recordId: z
      .string()
      .min(1)
      .max(MAX_RECORD_ID_LENGTH)
      .regex(/^\P{Cc}*$/u, 'must not have control characters')
      .optional()
      .meta({ description: 'Id of an action, attribution or entity, looked for in this order' }),
    size,
  })
  .refine(({ leafIndex, recordId }) => (leafIndex === undefined) !== (recordId === undefined), {
    message: 'send exactly one of leafIndex and recordId',
    path: ['leafIndex'],
  });

const bytes = z.string().meta({ contentMediaType: 'application/octet-stream', format: 'binary' });

export function logRoutes(app: App, deps: RecordReadDeps): void {
  describe(app, deps);
  listKeys(app, deps);
  getCheckpoint(app, deps);
  proveInclusion(app, deps);
  proveConsistency(app, deps);
  getTile(app, deps);
}

function describe(app: App, { transparencyLog }: Pick<AppDeps, 'transparencyLog'>): void {
  app.get(
    '/v1/log',
    {
      schema: {
        operationId: 'getLog',
        tags: ['log'],
        summary: 'The name, key and size of the project’s log',
        response: { 200: logSchema, ...errorsOf() },
      },
    },
    (request) => describeLog(transparencyLog, projectOf(request)),
  );
}

function listKeys(app: App, { transparencyLog }: Pick<AppDeps, 'transparencyLog'>): void {
  app.get(
    '/v1/log/keys',
    {
      schema: {
        operationId: 'getLogKeys',
        tags: ['log'],
        summary: 'All keys that have signed the log, and the hand-over from each key to the next',
        response: { 200: keyHistorySchema, ...errorsOf() },
      },
    },
    (request, reply) => readKeyHistory(transparencyLog, projectOf(request), signalOfCaller(reply)),
  );
}

function getCheckpoint(app: App, { transparencyLog }: Pick<AppDeps, 'transparencyLog'>): void {
  app.get(
    '/v1/log/checkpoint',
    {
      config: { sendsBytes: true },
      schema: {
        operationId: 'getCheckpoint',
        tags: ['log'],
        summary: 'The signed state of the log (C2SP tlog-checkpoint), which covers all acknowledged records',
        response: readyMade({ 200: bytes.describe('A signed note, text/plain'), ...errorsOf() }),
      },
    },
    async (request, reply) => {
      const note = await readCheckpoint(transparencyLog, projectOf(request), signalOfCaller(reply));
      return reply.type('text/plain; charset=utf-8').send(note);
    },
  );
}

function proveInclusion(app: App, { transparencyLog }: Pick<AppDeps, 'transparencyLog'>): void {
  app.get(
    '/v1/log/inclusion',
    {
      schema: {
        operationId: 'proveInclusion',
        tags: ['log'],
        summary: 'Prove that the log holds a leaf (RFC 9162 §2.1.3)',
        querystring: inclusionQuery,
        response: { 200: logEntrySchema, ...errorsOf('InvalidField', 'NotFound') },
      },
    },
    (request, reply) =>
      readInclusion(transparencyLog, projectOf(request), { ...request.query, signal: signalOfCaller(reply) }),
  );
}

function proveConsistency(app: App, { transparencyLog }: Pick<AppDeps, 'transparencyLog'>): void {
  app.get(
    '/v1/log/consistency',
    {
      schema: {
        operationId: 'proveConsistency',
        tags: ['log'],
        summary: 'Prove that the log has only grown between two sizes (RFC 9162 §2.1.4)',
        querystring: z.strictObject({ from: count, to: size }),
        response: { 200: consistencySchema, ...errorsOf('InvalidField') },
      },
    },
    (request, reply) =>
      readConsistency(transparencyLog, projectOf(request), {
        ...request.query,
        signal: signalOfCaller(reply),
      }),
  );
}

function getTile(app: App, { transparencyLog }: Pick<AppDeps, 'transparencyLog'>): void {
  serveTiles(app, {
    root: '/v1/log',
    names: ['getTile', 'getPartialTile'],
    schema: {
      tags: ['log'],
      summary: 'Hashes of the tree, or its entries, for mirrors and witnesses (C2SP tlog-tiles)',
    },
    errors: errorsOf('NotFound'),
    async answer(request, reply, tile) {
      const signal = signalOfCaller(reply);
      const found = await readTile(transparencyLog, projectOf(request), { ...tile, signal });
      if (found === undefined) throw new ServiceError('NotFound', 'The log does not have this tile yet.');
      // The same URL returns different tiles for keys of different projects.
      reply.headers({ 'cache-control': 'private, max-age=31536000, immutable', vary: 'authorization' });
      return found;
    },
  });
}
