import { ServiceError } from '../errors.js';
import type { App } from './app.js';

/**
 * Answers 406 to a caller whose `Accept` leaves out JSON (RFC 9110 §12.5.1), except for bytes, and 415 to one who
 * sends a compressed body (§8.4): nobody here decodes it.
 */
export function negotiate(app: App): void {
  app.addHook('onRequest', async (request) => {
    const { accept, 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding !== 'identity') {
      throw new ServiceError('Unsupported', 'A compressed body is not taken.', {
        recovery: 'Send it without Content-Encoding.',
      });
    }
    if (request.routeOptions.config.sendsBytes || accept === undefined || allowsJson(accept)) return;
    throw new ServiceError('NotAcceptable', 'This answer is JSON, which the Accept header leaves out.');
  });
}

/** The most specific range that names JSON decides; a header without any range leaves nothing out. */
export function allowsJson(accept: string): boolean {
  const ranges = accept.split(',').map(parseRange);
  const named = ranges.filter(({ type }) => type !== '');
  const deciding = ['application/json', 'application/*', '*/*']
    .map((name) => named.filter(({ type }) => type === name))
    .find(({ length }) => length > 0);
  return named.length === 0 || (deciding?.some(({ isRefused }) => !isRefused) ?? false);
}

/** Whether the header names one of these media types itself, and does not refuse it. */
export function namesType(accept: string | undefined, types: readonly string[]): boolean {
  const ranges = (accept ?? '').split(',').map(parseRange);
  return ranges.some(({ type, isRefused }) => types.includes(type) && !isRefused);
}

function parseRange(range: string): { type: string; isRefused: boolean } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  return { type, isRefused: parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) };
}
