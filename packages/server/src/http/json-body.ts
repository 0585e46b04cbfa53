import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../errors.js';
import type { App } from './app.js';
import { parseJson } from './parse-json.js';

/** Reads JSON bodies as they are: what a schema refuses is refused there, and no byte is silently replaced. */
export function readJsonBodies(app: App): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parse(body));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function parse(body: string | Buffer): unknown {
  const text = typeof body === 'string' ? body : decodeUtf8(body);
  if (text === '') throw new ServiceError('InvalidField', 'The JSON body is empty.');
  return parseJson(text, 'the body');
}

/** The text of UTF-8 bytes; `InvalidField` when they are not UTF-8 (RFC 8259 §8.1). */
export function decodeUtf8(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new ServiceError('InvalidField', 'The JSON is not valid UTF-8.');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
