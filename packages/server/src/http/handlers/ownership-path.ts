import type { FastifyRequest } from 'fastify';

/**
 * Returns the content that the path names: its canonical CID, and the identifier that the caller sent. The caller may
 * have signed the identifier.
 */
export function contentOfPath(request: FastifyRequest): { cid: string; sentCid: string } {
  const { cid } = request.params as { cid: string };
  const [, written = cid] = /\/resource\/([^/]+)\/ownership/.exec(request.url) ?? [];
  return { cid, sentCid: decodeURIComponent(written) };
}

/** Adds the content of the path to the body, so that a repeated request must have the same path and body. */
export function withContentOfPath(request: FastifyRequest, body: object): object {
  return { ...body, ...contentOfPath(request) };
}
