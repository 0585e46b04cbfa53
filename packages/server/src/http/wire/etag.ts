import { Readable } from 'node:stream';
import { toEtag } from '../../records/read/answers.js';
import type { App } from '../app.js';
import { isSafe } from './is-safe.js';

/**
 * Adds a strong `ETag` to each complete response to a GET or HEAD. A caller that already has this response gets 304
 * (RFC 9110 §8.8.3, §13.1.2). The default `Cache-Control` lets only the caller's own cache store the response, which
 * must revalidate it before each use.
 */
export function tagAnswers(app: App): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isSafe(request.method) || reply.statusCode !== 200) return payload;
    const existing = reply.getHeader('etag');
    const etag = typeof existing === 'string' ? existing : tagOf(payload);
    if (etag === undefined) return payload;
    reply.header('etag', etag);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache');
    if (!matches(request.headers['if-none-match'], etag)) return payload;
    reply.code(304).removeHeader('content-type');
    if (payload instanceof Readable) payload.destroy();
    // For HEAD, the framework sends the length of the payload, but not the payload itself.
    return request.method === 'HEAD' ? payload : null;
  });
}

function tagOf(payload: unknown): string | undefined {
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? toEtag(payload) : undefined;
}

/** Whether `If-None-Match` names the tag; compared weakly (RFC 9110 §8.8.3.2). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}
