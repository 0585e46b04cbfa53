import type { FastifyRequest } from 'fastify';
import { unsupportedType } from './unsupported-type.js';

/** A route with a body schema takes JSON alone. */
export function assertJson(request: FastifyRequest): void {
  const { headers, routeOptions } = request;
  if (routeOptions.schema?.body === undefined) return;
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw unsupportedType(request);
  }
}
