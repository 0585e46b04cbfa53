import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { App } from '../app.js';

/** Rejects an `Accept` that excludes all types of the route (RFC 9110 §12.5.1) and compressed bodies (§8.4). */
export function negotiate(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    assertAcceptable(request);
    done();
  });
}

function assertAcceptable({ headers, routeOptions }: FastifyRequest): void {
  const { accept, 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') {
    throw new ServiceError('Unsupported', 'A compressed body is not supported.', {
      recovery: 'Send the body uncompressed, without the header Content-Encoding.',
    });
  }
  if (accept === undefined || accept === '*/*') return;
  const { sendsBytes, alsoSends = [] } = routeOptions.config;
  if (sendsBytes || ['application/json', ...alsoSends].some((type) => preferenceFor(accept, type) > 0))
    return;
  throw new ServiceError(
    'NotAcceptable',
    'This response is JSON, but the Accept header does not allow JSON.',
  );
}

/** Maximum number of media ranges that the service reads: a header of 16 KiB could have thousands. */
const MAX_RANGES = 64;
const MAX_PARAMETERS = 8;

/** Returns 0 when `Accept` excludes the media type, and a higher value for a more preferred type. */
export function preferenceFor(accept: string | undefined, mediaType: string): number {
  const ranges = (accept ?? '')
    .split(',', MAX_RANGES)
    .map(parseRange)
    .filter(({ type }) => type !== '');
  const names = ['*/*', `${mediaType.split('/')[0]}/*`, mediaType];
  const deciding = ranges
    .filter(({ type }) => names.includes(type))
    .map(({ type, quality }) => ({ precision: names.indexOf(type), quality }))
    .sort((a, b) => b.precision - a.precision || b.quality - a.quality)[0];
  if (ranges.length === 0) return 1;
  if (deciding === undefined || deciding.quality === 0) return 0;
  // A quality has at most three decimals (RFC 9110 §12.4.2).
  return Math.round(deciding.quality * 1_000) + deciding.precision / 10;
}

function parseRange(range: string): { type: string; quality: number } {
  const [type = '', ...parameters] = range
    .split(';', MAX_PARAMETERS)
    .map((part) => part.trim().toLowerCase());
  const quality = parameters
    .map((one) => /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(one)?.[1])
    .find((found) => found);
  return { type, quality: quality === undefined ? 1 : Number(quality) };
}
