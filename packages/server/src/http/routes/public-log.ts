import { parseTilePath, TILE_WIDTH } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import type { App, AppDeps } from '../app.js';
import { countVisitor, networkOf } from '../middleware/limit-requests.js';
import { publicErrorsOf, readyMade } from '../wire/error-schemas.js';
import { limitUnreadAnswers } from '../wire/limit-unread-answers.js';

/** Everything below it is readable without a key, if the log is public. */
export const PUBLIC_LOG_PREFIX = '/log/';

const tags = ['public'];
const security: [] = [];
const id = z.uuid().toLowerCase().meta({ description: 'Id of the project' });
const bytes = z.string().meta({ contentMediaType: 'application/octet-stream', format: 'binary' });
const errors = publicErrorsOf('InvalidField', 'NotFound');
/** A full tile never changes. A partial tile does not change either, but a reader needs it only for a moment. */
const FULL = 'public, max-age=31536000, immutable';
const PARTIAL = 'public, max-age=600';

/** `/log/:id/`: public logs, for tlog-tiles clients and mirrors. Entries are digests alone. */
export function publicLogRoutes(app: App, deps: AppDeps): void {
  app.addHook('onRequest', async (request, reply) => countVisitor(deps.limits, request, reply));
  limitUnreadAnswers(app, deps, { ownerOf: ({ ip }) => networkOf(ip), ownerName: 'this address' });
  getCheckpoint(app, deps);
  getTile(app, deps);
}

function getCheckpoint(app: App, { publicLogs }: Pick<AppDeps, 'publicLogs'>): void {
  app.get(
    '/log/:id/checkpoint',
    {
      config: { sendsBytes: true },
      schema: {
        operationId: 'getPublicCheckpoint',
        tags,
        security,
        summary: 'The signed state of a public log (C2SP tlog-checkpoint), at most two seconds old',
        params: z.object({ id }),
        response: readyMade({ 200: bytes.describe('A signed note, text/plain'), ...errors }),
      },
    },
    async (request, reply) => {
      const note = await publicLogs.readCheckpoint(networkOf(request.ip), request.params.id);
      if (note === undefined) throw noPublicLog();
      return reply.header('cache-control', 'public, max-age=1').type('text/plain; charset=utf-8').send(note);
    },
  );
}

const tileParams = {
  id,
  level: z.string().meta({ description: 'Tile level, or `entries`: digests, each behind its length' }),
  tile: z.string().meta({ description: 'Index in three digits, with the suffix `.p` when a width follows' }),
};

/** One handler for every path after `tile/`, as under `/v1/log`. */
function getTile(app: App, { publicLogs }: Pick<AppDeps, 'publicLogs'>): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { id: projectId } = request.params as { id: string };
    const [, path = ''] = /\/tile\/([^?]*)/.exec(request.url) ?? [];
    const tile = parseTilePath(path);
    if (tile === undefined) throw new ServiceError('NotFound', 'This is not the path of a tile.');
    const found = await publicLogs.readTile(networkOf(request.ip), projectId, tile);
    if (found === undefined) throw noPublicLog();
    reply.header('cache-control', tile.width === TILE_WIDTH ? FULL : PARTIAL);
    return reply.type('application/octet-stream').send(found);
  };
  const places = [
    { url: '/log/:id/tile/:level/:tile', operationId: 'getPublicTile', params: z.object(tileParams) },
    {
      url: '/log/:id/tile/:level/:tile/:width',
      operationId: 'getPublicPartialTile',
      params: z.object({ ...tileParams, width: z.string().meta({ description: 'Hashes, 1 to 255' }) }),
    },
  ];
  for (const { url, operationId, params } of places) {
    const summary = 'Hashes or entries of a public log, for mirrors and monitors (C2SP tlog-tiles)';
    const response = readyMade({ 200: bytes.describe('Up to 256 hashes of 32 bytes'), ...errors });
    const schema = { operationId, tags, security, summary, params, response };
    app.get(url, { config: { sendsBytes: true }, schema }, answer);
  }
  const schema = { hide: true, params: z.object({ id }) };
  app.get('/log/:id/tile/*', { config: { sendsBytes: true }, schema }, answer);
}

/** The same answer for an absent project, a log that is not public, and a tile that does not exist yet. */
function noPublicLog(): ServiceError {
  return new ServiceError('NotFound', 'There is no public log with this id, or it has no such tile yet.', {
    recovery: 'Read the checkpoint for the size of the log. An admin of the project makes its log public.',
  });
}
