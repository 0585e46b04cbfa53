import { requestLogSchema, usageSchema } from '@colophon/model';
import { z } from 'zod';
import { MAX_LOGS, readProjectLogs, readProjectUsage } from '../../../management/read-usage.js';
import type { App, AppDeps } from '../../app.js';
import { wholeNumberQuery } from '../../wire/list-query.js';
import { idParams } from './params.js';
import { actorOf, PATH_ERRORS } from './terms.js';

const DEFAULT_LOGS = 50;

export function usageRoutes(app: App, { management }: Pick<AppDeps, 'management'>): void {
  app.get(
    '/management/projects/:id/usage',
    {
      schema: {
        operationId: 'getUsage',
        summary: 'Get the usage of a project in the last 30 days',
        params: idParams,
        response: { 200: usageSchema, ...PATH_ERRORS },
      },
    },
    (request) => readProjectUsage(management.deps, actorOf(request), request.params.id),
  );
  app.get(
    '/management/projects/:id/logs',
    {
      schema: {
        operationId: 'getRequestLog',
        summary: 'Get the last calls of a project, newest first',
        params: idParams,
        querystring: z.strictObject({ limit: wholeNumberQuery(1, MAX_LOGS).default(DEFAULT_LOGS) }),
        response: { 200: requestLogSchema, ...PATH_ERRORS },
      },
    },
    (request) => {
      const asked = { projectId: request.params.id, limit: request.query.limit };
      return readProjectLogs(management.deps, actorOf(request), asked);
    },
  );
}
