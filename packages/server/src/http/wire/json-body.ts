import type { FastifyRequest } from 'fastify';
import type { App } from '../app.js';
import { tooLarge } from './error-writer.js';
import type { JsonReader } from './json-reader.js';
import { receiveBody } from './receive-body.js';

/** Reads JSON bodies with `reader`, which rejects invalid UTF-8. Fastify's own parser would replace such bytes. */
export function readJsonBodies(app: App, reader: JsonReader): void {
  app.decorate('json', reader);
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const { holdsMany } = request.routeOptions.config;
    const bytes = await receive(request);
    await request.beginParse?.(bytes);
    return reader.read({ bytes, name: 'the body', holdsMany, onMeasured: request.countParsed });
  });
}

function receive(request: FastifyRequest): Promise<Buffer> {
  const { bodyLimit: maxBytes = Number.POSITIVE_INFINITY } = request.routeOptions;
  const { 'content-length': length } = request.headers;
  const sizeBytes = length === undefined ? undefined : Number(length);
  return receiveBody(request.raw, { sizeBytes, maxBytes, refuse: () => tooLarge(request) });
}

/**
 * Returns the strings in the list `member` as the caller sent them: a proof can cover them instead of the canonical
 * CIDs.
 */
export function sentNames(sent: unknown, member: string): string[] {
  const value: unknown = Object(sent)[member];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
