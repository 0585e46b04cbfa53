import { TILE_WIDTH } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { networkOf } from '../../platform/net/client-address.js';
import type { PublicReader } from '../../transparency-log/public-logs.js';
import type { App, AppDeps } from '../app.js';
import { serveTiles } from '../handlers/serve-tiles.js';
import { countVisitors } from '../middleware/count-visitors.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { publicErrorsOf, readyMade } from '../wire/error-schemas.js';

/** Reading a public log needs no key. */
export const PUBLIC_LOG_PREFIX = '/log/';

const tags = ['public'];
const security: [] = [];
const id = z.uuid().toLowerCase().meta({ description: 'Id of the project' });
const bytes = z.string().meta({ contentMediaType: 'application/octet-stream', format: 'binary' });
const errors = publicErrorsOf('InvalidField', 'NotFound');
const FULL = 'public, max-age=31536000, immutable';
/** Readers need a partial tile only until the full tile exists. */
const PARTIAL = 'public, max-age=600';

/** Public logs, for tlog-tiles clients and mirrors. Entries contain only digests. */
export function publicLogRoutes(app: App, deps: Pick<AppDeps, 'limits' | 'publicLogs'>): void {
  countVisitors(app, deps);
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
      const note = await publicLogs.readCheckpoint(toReader(request, reply), request.params.id);
      if (note === undefined) throw noPublicLog();
      return reply.header('cache-control', 'public, max-age=1').type('text/plain; charset=utf-8').send(note);
    },
  );
}

function getTile(app: App, { publicLogs }: Pick<AppDeps, 'publicLogs'>): void {
  serveTiles(app, {
    root: '/log/:id',
    params: { id },
    names: ['getPublicTile', 'getPublicPartialTile'],
    schema: {
      ...{ tags, security },
      summary: 'Hashes or entries of a public log, for mirrors and monitors (C2SP tlog-tiles)',
    },
    errors,
    async answer(request, reply, tile) {
      const { id: projectId } = request.params as { id: string };
      const found = await publicLogs.readTile(toReader(request, reply), projectId, tile);
      if (found === undefined) throw noPublicLog();
      reply.header('cache-control', tile.width === TILE_WIDTH ? FULL : PARTIAL);
      return found;
    },
  });
}

function toReader({ ip }: FastifyRequest, reply: FastifyReply): PublicReader {
  return { caller: networkOf(ip), signal: signalOfCaller(reply) };
}

/** Returns the same error for an absent project, a log that is not public, and a tile that does not exist yet. */
function noPublicLog(): ServiceError {
  return new ServiceError(
    'NotFound',
    'There is no public log with this id, or the log does not have this tile yet.',
    {
      recovery:
        'Compare the tile with the size in the checkpoint. An admin of the project can make the log public.',
    },
  );
}
