import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';

/** A route with a body schema takes JSON alone. */
export function assertJson({ headers, routeOptions }: FastifyRequest): void {
  if (routeOptions.schema?.body === undefined) return;
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw new ServiceError('Unsupported', 'This operation takes application/json.');
  }
}
