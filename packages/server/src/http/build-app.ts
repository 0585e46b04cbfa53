import { randomUUID } from 'node:crypto';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import { assertPermission } from '../access/authenticate.js';
import { ServiceError } from '../errors.js';
import type { App, AppNeeds } from './app.js';
import { drainRefusedBodies } from './drain.js';
import { toRawAnswer, writeError } from './error-writer.js';
import { noteMethods } from './method-not-allowed.js';
import { describeApi } from './openapi.js';
import { actionRoutes } from './routes/actions.js';
import { activityRoutes } from './routes/activity.js';
import { bundleRoutes } from './routes/bundle.js';
import { entityRoutes } from './routes/entities.js';
import { resourceRoutes } from './routes/resources.js';
import { serviceRoutes } from './routes/service.js';
import { validatorCompiler } from './validate-request.js';

const MAX_JSON_BYTES = 2 ** 20;
const HEADERS_TIMEOUT_MS = 20_000;

/** Builds the web application; it is not listening yet. */
export async function buildApp(needs: AppNeeds, logger: FastifyBaseLogger): Promise<App> {
  const app = createServer(logger);
  const refuseOtherMethods = noteMethods(app);
  app.setValidatorCompiler(validatorCompiler);
  // Answers are checked against their schemas by tests, not at run time.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(writeError);
  app.setNotFoundHandler((request) => {
    throw new ServiceError('NotFound', `There is no ${request.method} ${request.url.split('?')[0]}.`);
  });
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  drainRefusedBodies(app);
  await app.register(multipart, { throwFileSizeLimit: false });
  await describeApi(app, needs.version);

  serviceRoutes(app, needs);
  await app.register(async (scope) => v1Routes(scope as App, needs));
  refuseOtherMethods();
  await app.ready();
  return app;
}

function createServer(logger: FastifyBaseLogger): App {
  const app = Fastify({
    loggerInstance: logger,
    bodyLimit: MAX_JSON_BYTES,
    routerOptions: { maxParamLength: 1024 },
    requestIdHeader: false,
    genReqId: ({ headers }) => readRequestId(headers['x-request-id']) ?? randomUUID(),
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    frameworkErrors: (error, request, reply) => void writeError(error, request, reply),
    clientErrorHandler(error, socket) {
      if (socket.writable) socket.end(toRawAnswer(error, randomUUID()));
      else socket.destroy(error);
    },
  });
  return app.withTypeProvider();
}

function readRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : undefined;
}

function v1Routes(app: App, needs: AppNeeds): void {
  app.decorateRequest('holder', undefined);
  app.addHook('onRequest', async (request) => {
    request.holder = await needs.authenticate(request.headers.authorization);
    assertPermission(request.holder, request.routeOptions.config.permission ?? 'read');
  });
  app.addHook('onRoute', (route) => {
    route.schema = { security: [{ apiKey: [] }], ...route.schema };
  });
  entityRoutes(app, needs);
  actionRoutes(app, needs);
  activityRoutes(app, needs);
  bundleRoutes(app, needs);
  resourceRoutes(app, needs);
}
