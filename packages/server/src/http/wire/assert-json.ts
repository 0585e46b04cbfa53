import type { FastifyRequest } from 'fastify';
import { unsupportedType } from './unsupported-type.js';

/** On a route with a schema of the body, throws if the content type is not `application/json`. */
export function assertJson(request: FastifyRequest): void {
  const { headers, routeOptions } = request;
  if (routeOptions.schema?.body === undefined) return;
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw unsupportedType(request);
  }
}
