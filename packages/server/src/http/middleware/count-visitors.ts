import type { App, AppDeps } from '../app.js';
import { countVisitor } from './limit-requests.js';

/** Counts every request of the scope by the caller's address. The routes of the scope need no key. */
export function countVisitors(app: App, { limits }: Pick<AppDeps, 'limits'>): void {
  app.addHook('onRequest', (request, reply) => countVisitor(limits, request, reply));
}
