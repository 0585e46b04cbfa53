import type { FastifyRequest } from 'fastify';

/** The content that the path names: the canonical CID, and the text of the path, which the caller may have signed. */
export function contentOfPath(request: FastifyRequest): { cid: string; sentCid: string } {
  const { cid } = request.params as { cid: string };
  const [, written = cid] = /\/resource\/([^/]+)\/ownership/.exec(request.url) ?? [];
  return { cid, sentCid: decodeURIComponent(written) };
}

/** The body and the content of the path: a repeated request must have both. */
export function withContentOfPath(request: FastifyRequest, body: object): object {
  return { ...body, ...contentOfPath(request) };
}
