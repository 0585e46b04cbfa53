import { Readable } from 'node:stream';
import { toEtag } from '../../records/read/answers.js';
import type { App } from '../app.js';

/**
 * Gives every whole answer to a GET or HEAD a strong `ETag`, the hash of the answer itself, and answers 304 to a caller that
 * has it (RFC 9110 §8.8.3, §13.1.2). One that was tagged already keeps its tag; a stream has no other. Answers are private
 * to the project's keys and may change.
 */
export function tagAnswers(app: App): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!['GET', 'HEAD'].includes(request.method) || reply.statusCode !== 200) return payload;
    const given = reply.getHeader('etag');
    const etag = typeof given === 'string' ? given : tagOf(payload);
    if (etag === undefined) return payload;
    reply.header('etag', etag);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache');
    if (!matches(request.headers['if-none-match'], etag)) return payload;
    reply.code(304).removeHeader('content-type');
    if (payload instanceof Readable) payload.destroy();
    // Of an answer to HEAD the framework takes the length, and sends nothing.
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
