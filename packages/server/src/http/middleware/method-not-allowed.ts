import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { App } from '../app.js';
import { findNear } from './near-paths.js';

/** In characters. */
export const MAX_SEGMENT_LENGTH = 1024;

/** `OTHER` stands for all methods that no route supports, except `OPTIONS`, the method of CORS preflights. */
const OTHER = 'TRACE';
const ROUTED = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', OTHER];

/**
 * Replaces every method that no route supports by `OTHER`, so that one route of a path can answer all of them. Call
 * `restore` in the first hook.
 */
export function routeOtherMethods(): {
  rewriteUrl(raw: IncomingMessage): string;
  restore(raw: IncomingMessage): void;
} {
  const methods = new WeakMap<IncomingMessage, string>();
  return {
    rewriteUrl(raw) {
      if (raw.method !== undefined && raw.method !== 'OPTIONS' && !ROUTED.includes(raw.method)) {
        methods.set(raw, raw.method);
        raw.method = OTHER;
      }
      return raw.url ?? '/';
    },
    restore(raw) {
      raw.method = methods.get(raw) ?? raw.method;
    },
  };
}

/**
 * Collects the routes that are added after this call. Call the result after the last route: it adds routes that answer
 * the other methods with 405 and `Allow` (RFC 9110 §15.5.6). The hooks of the scope run before the 405.
 */
export function noteMethods(app: App): (scope: App, prefix?: string) => void {
  const documented = new Map<string, Set<string>>();
  app.decorate('documentedPaths', documented);
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ method, url, schema }) => {
    const methods = known.get(url) ?? new Set();
    if (schema !== undefined && schema.hide !== true)
      documented.set(url, new Set([...(documented.get(url) ?? []), ...[method].flat()]));
    for (const one of [method].flat()) methods.add(one);
    if (methods.has('GET')) methods.add('HEAD');
    known.set(url, methods);
  });
  return (scope, prefix = '/') => {
    for (const [url, methods] of [...known]) if (url.startsWith(prefix)) refuseOthers(scope, url, methods);
  };
}

/** Responds with 404 to unknown paths of the scope, after its hooks. */
export function refuseUnknownPaths(scope: App, prefix: string): void {
  for (const url of [prefix, `${prefix}/*`]) {
    scope.route({
      method: ROUTED,
      url,
      schema: { hide: true },
      onRequest: async (request) => {
        throw unknownPath(request);
      },
      handler: () => {},
    });
  }
}

export function unknownPath({ method, url, server }: FastifyRequest): ServiceError {
  const [path = ''] = url.split('?');
  const long = path.split('/').find(({ length }) => length > MAX_SEGMENT_LENGTH);
  if (long !== undefined) {
    return new ServiceError(
      'UriTooLong',
      `A part of the path has ${long.length} characters; at most ${MAX_SEGMENT_LENGTH} are allowed: ${long.slice(0, 40)}...`,
    );
  }
  const near = findNear(server.documentedPaths, { method, path });
  const guess = near.length === 0 ? '' : `Similar routes: ${near.join('; ')}. `;
  return new ServiceError('NotFound', `There is no ${method} ${path}.`, {
    recovery: `${guess}GET /openapi.json lists every path.`,
    ...(near.length === 0 ? {} : { details: { near } }),
  });
}

function refuseOthers(app: App, url: string, allowed: Set<string>): void {
  const allow = [...allowed].sort().join(', ');
  const others = ROUTED.filter((method) => !allowed.has(method));
  if (others.length === 0 || allowed.has('OPTIONS')) return;
  app.route({
    method: others,
    url,
    schema: { hide: true },
    onRequest: async (request) => {
      throw new ServiceError(
        'MethodNotAllowed',
        `This path does not support ${request.method}; use ${allow}.`,
        {
          headers: { allow },
        },
      );
    },
    handler: () => {},
  });
}
