import type { FastifyReply } from 'fastify';
import type { App } from '../app.js';
import { createSharedAnswer } from '../wire/shared-answer.js';
import { toLlmsText } from './llms-text.js';

/** Functions that send a description of the API. Each description is long, so it is written once for all callers. */
export type ApiDocuments = Readonly<
  Record<'json' | 'yaml' | 'forModels', (reply: FastifyReply) => Promise<FastifyReply>>
>;

export function createApiDocuments(app: App): ApiDocuments {
  return {
    json: createSharedAnswer('application/json; charset=utf-8', () => JSON.stringify(app.swagger())),
    yaml: createSharedAnswer('application/x-yaml', () => app.swagger({ yaml: true })),
    forModels: createSharedAnswer('text/plain; charset=utf-8', () => toLlmsText(app.swagger())),
  };
}
