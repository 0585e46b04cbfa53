import { ServiceError } from '../errors.js';
import type { App } from './app.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * Notes every route from now on and gives a function that, called after the last one, answers the other
 * methods of their paths with 405 and `Allow` (RFC 9110 §15.5.6).
 */
export function noteMethods(app: App): () => void {
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ method, url }) => {
    const methods = known.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    if (methods.has('GET')) methods.add('HEAD');
    known.set(url, methods);
  });
  return () => {
    for (const [url, methods] of [...known]) refuseOthers(app, url, methods);
  };
}

function refuseOthers(app: App, url: string, allowed: Set<string>): void {
  const allow = [...allowed].sort().join(', ');
  const others = METHODS.filter((method) => !allowed.has(method));
  if (others.length === 0 || allowed.has('OPTIONS')) return;
  app.route({
    method: others,
    url,
    schema: { hide: true },
    onRequest: async (request) => {
      throw new ServiceError('MethodNotAllowed', `${request.method} is not possible here; use ${allow}.`, {
        headers: { allow },
      });
    },
    handler: () => {},
  });
}
