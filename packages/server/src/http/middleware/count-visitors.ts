import type { App, AppDeps } from '../app.js';
import { countVisitor } from './limit-requests.js';

export function countVisitors(app: App, { limits }: Pick<AppDeps, 'limits'>): void {
  app.addHook('onRequest', (request, reply) => countVisitor(limits, request, reply));
}
