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

function allowsJson(accept: string): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    return !refused && ['application/json', 'application/*', '*/*', ''].includes(type);
  });
}
