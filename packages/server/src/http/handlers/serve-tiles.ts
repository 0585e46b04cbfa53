import { parseTilePath, type Tile } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import type { App } from '../app.js';
import { type errorsOf, readyMade } from '../wire/error-schemas.js';

/** The tiles of a log under `<root>/tile/`. */
export interface ServedTiles {
  root: '/v1/log' | '/log/:id';
  /** Parameters of `root`. */
  params?: z.core.$ZodLooseShape;
  /** Operation names for a full and a partial tile. */
  names: readonly [full: string, partial: string];
  schema: { tags: string[]; summary: string; security?: [] };
  errors: Partial<ReturnType<typeof errorsOf>>;
  /** Returns the tile, and sets the headers of the response. Throws when the tile does not exist. */
  answer(request: FastifyRequest, reply: FastifyReply, tile: Tile): Promise<Buffer>;
}

const bytes = z.string().meta({ contentMediaType: 'application/octet-stream', format: 'binary' });

const tileParams = {
  level: z.string().meta({
    description:
      'Tile level, or `entries` for the record digests. Before each digest, two bytes give its length',
  }),
  tile: z.string().meta({ description: 'Index in three digits, with the suffix `.p` when a width follows' }),
};
const width = z.string().meta({ description: 'Number of hashes in a partial tile, 1 to 255' });

/**
 * Serves tiles (C2SP tlog-tiles). Tiles with an index above 999 have more path segments than OpenAPI can describe, so
 * one handler serves every path.
 */
export function serveTiles(
  app: App,
  { root, params = {}, names: [full, partial], schema, errors, answer }: ServedTiles,
): void {
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const [, path = ''] = /\/tile\/([^?]*)/.exec(request.url) ?? [];
    const tile = parseTilePath(path);
    if (tile === undefined) throw new ServiceError('NotFound', 'This is not the path of a tile.');
    return reply.type('application/octet-stream').send(await answer(request, reply, tile));
  };
  const config = { sendsBytes: true } as const;
  for (const { path, operationId, shape } of [
    { path: ':level/:tile', operationId: full, shape: tileParams },
    { path: ':level/:tile/:width', operationId: partial, shape: { ...tileParams, width } },
  ]) {
    const response = readyMade({
      200: bytes.describe(
        'Up to 256 hashes of 32 bytes. For `entries`, record digests. Before each digest, two bytes give its length',
      ),
      ...errors,
    });
    const described = { ...schema, operationId, params: z.object({ ...params, ...shape }), response };
    app.get(`${root}/tile/${path}`, { config, schema: described }, send);
  }
  app.get(`${root}/tile/*`, { config, schema: { hide: true, params: z.object(params) } }, send);
}
