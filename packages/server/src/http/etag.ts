import { createHash } from 'node:crypto';
import type { App } from './app.js';

/**
 * Gives every JSON answer to a GET or HEAD a strong `ETag`, the hash of the answer itself, and answers 304 to a caller that
 * has it (RFC 9110 §8.8.3, §13.1.2). A route that sends bytes tags them itself. Answers are private to the project's keys and may change.
 */
export function tagAnswers(app: App): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isTagged = request.routeOptions.config.sendsBytes === true;
    if (isTagged || !['GET', 'HEAD'].includes(request.method)) return payload;
    if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    const etag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`;
    reply.header('etag', etag).header('cache-control', 'private, no-cache');
    if (!matches(request.headers['if-none-match'], etag)) return payload;
    reply.code(304).removeHeader('content-type');
    // Of an answer to HEAD the framework takes the length, and sends nothing.
    return request.method === 'HEAD' ? payload : null;
  });
}

/** Whether `If-None-Match` names the tag; compared weakly (RFC 9110 §8.8.3.2). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}
