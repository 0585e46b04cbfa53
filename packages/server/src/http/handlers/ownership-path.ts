import type { FastifyRequest } from 'fastify';

/** Returns the content in the path: its canonical CID, and the text of the path, which the caller may have signed. */
export function contentOfPath(request: FastifyRequest): { cid: string; sentCid: string } {
  const { cid } = request.params as { cid: string };
  const [, written = cid] = /\/resource\/([^/]+)\/ownership/.exec(request.url) ?? [];
  return { cid, sentCid: decodeURIComponent(written) };
}

/** Returns the body with the content of the path: a repeated request must be equal in both. */
export function withContentOfPath(request: FastifyRequest, body: object): object {
  return { ...body, ...contentOfPath(request) };
}
