import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';

const MAX_SHOWN = 100;

export function unsupportedType({ headers, routeOptions }: FastifyRequest): ServiceError {
  const { multipartBody, rawBody } = routeOptions.config;
  const forms = multipartBody === undefined ? undefined : ['multipart/form-data'];
  const taken = forms ?? rawBody?.mediaTypes ?? ['application/json'];
  const [sent = ''] = (headers['content-type'] ?? '').split(';');
  const message =
    sent === ''
      ? 'The request has no Content-Type.'
      : `Unsupported content type \`${sent.trim().slice(0, MAX_SHOWN)}\`.`;
  return new ServiceError('Unsupported', message, {
    recovery: `Send ${taken.map((type) => `\`${type}\``).join(' or ')}.`,
  });
}
