import type { FastifyRequest } from 'fastify';
import { unsupportedType } from './unsupported-type.js';

/** Throws unless the body is JSON, on a route with a body schema. */
export function assertJson(request: FastifyRequest): void {
  const { headers, routeOptions } = request;
  if (routeOptions.schema?.body === undefined) return;
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw unsupportedType(request);
  }
}
