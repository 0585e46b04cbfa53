import type { FastifyRequest } from 'fastify';

/** `sentCid` is the identifier as the caller sent it, and possibly signed it. */
export function contentOfPath(request: FastifyRequest): { cid: string; sentCid: string } {
  const { cid } = request.params as { cid: string };
  const [, written = cid] = /\/resource\/([^/]+)\/ownership/.exec(request.url) ?? [];
  return { cid, sentCid: decodeURIComponent(written) };
}

/** Adds the content of the path, so that a repeated request must have the same path and body. */
export function withContentOfPath(request: FastifyRequest, body: object): object {
  return { ...body, ...contentOfPath(request) };
}
