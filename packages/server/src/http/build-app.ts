import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import multipart from '@fastify/multipart';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { ServiceError } from '../errors.js';
import { networkOf } from '../platform/net/client-address.js';
import { type App, type AppDeps, MAX_JSON_BYTES } from './app.js';
import { abortSlowBodies, USUAL_PACE } from './middleware/abort-slow-bodies.js';
import { admitRequests } from './middleware/admit-requests.js';
import { allowOrigins, EXPOSED_HEADERS } from './middleware/allow-origins.js';
import { countVisitors } from './middleware/count-visitors.js';
import { drainRefusedBodies } from './middleware/drain.js';
import { type ChunkLimit, createChunkLimit } from './middleware/limit-chunks.js';
import { createHttpServer, limitConnections } from './middleware/limit-connections.js';
import { countVisitor } from './middleware/limit-requests.js';
import { logRequests } from './middleware/log-requests.js';
import {
  MAX_SEGMENT_LENGTH,
  noteMethods,
  refuseUnknownPaths,
  routeOtherMethods,
  unknownPath,
} from './middleware/method-not-allowed.js';
import { paceUploads } from './middleware/pace-uploads.js';
import { answerParserErrors, type Exchange, refuseMalformed } from './middleware/refuse-malformed.js';
import { traceRequests } from './middleware/trace-requests.js';
import { describeApi } from './openapi/openapi.js';
import { pageRoutes } from './page/page-routes.js';
import { PROVENANCEKIT_PREFIXES, provenanceKitRoutes } from './provenancekit/provenancekit-routes.js';
import { referenceRoutes } from './reference/reference-routes.js';
import { type ApiDocuments, createApiDocuments } from './routes/api-documents.js';
import { healthRoutes } from './routes/health.js';
import { managementRoutes } from './routes/management.js';
import { createMetrics, type Metrics, measureRequests, metricsRoute } from './routes/metrics.js';
import { PAGE_API, pageApi } from './routes/page-api.js';
import { pageProjectRoutes } from './routes/page-project.js';
import { PUBLIC_LOG_PREFIX, publicLogRoutes } from './routes/public-log.js';
import { publicRoutes } from './routes/published.js';
import { serviceRoutes } from './routes/service.js';
import { v1Routes } from './routes/v1.js';
import { answerHeaders } from './wire/answer-headers.js';
import { writeError } from './wire/error-writer.js';
import { readJsonBodies } from './wire/json-body.js';
import { limitUnreadAnswers } from './wire/limit-unread-answers.js';
import { type ApiPart, DOCUMENTS_FILE, openDocuments } from './wire/rendered-documents.js';
import { validatorCompiler } from './wire/validate-request.js';

const PUBLIC_PREFIXES = ['/app/api/public/', '/public/'];
/** One application for everything, or two applications with `ADMIN_PORT`. They do not listen yet. */
export interface Apps {
  app: App;
  /** Serves `/management` and `/metrics`, which `app` then lacks. */
  adminApp: App | undefined;
}

export async function buildApps(
  deps: AppDeps,
  { logger, adminApart }: { logger: FastifyBaseLogger; adminApart: boolean },
): Promise<Apps> {
  const metrics = createMetrics(deps);
  const build = async (part: ApiPart) => {
    const { app, documents } = await createApp({ ...deps, metrics }, logger, part);
    const refuseOtherMethods = noteMethods(app);
    measureRequests(app, metrics);
    limitConnections(app, deps, () => metrics.refused.inc({ bound: 'MAX_ADDRESS_CONNECTIONS' }));
    await app.register(async (scope) => {
      countVisitors(scope as App, deps);
      const home = part === 'operators' ? '/docs' : '/app/';
      serviceRoutes(scope as App, { ...deps, documents, home });
    });
    healthRoutes(app, deps);
    if (part !== 'operators') await callerRoutes(app, deps, refuseOtherMethods);
    if (part !== 'callers') await operatorRoutes(app, { ...deps, metrics }, refuseOtherMethods);
    if (part !== 'operators') await visitorRoutes(app, deps, refuseOtherMethods);
    await app.register(async (scope) => {
      countVisitors(scope as App, deps);
      refuseOtherMethods(scope as App);
      refusePreflights(scope as App);
    });
    await app.ready();
    return app;
  };
  if (!adminApart) return { app: await build('all'), adminApp: undefined };
  return { app: await build('callers'), adminApp: await build('operators') };
}

async function createApp(
  deps: AppDeps & { metrics: Metrics },
  logger: FastifyBaseLogger,
  part: ApiPart,
): Promise<{ app: App; documents: ApiDocuments }> {
  const chunks = createChunkLimit(deps, () => deps.metrics.refused.inc({ bound: 'tinyChunks' }));
  const app = createServer({ ...deps, chunks }, logger);
  app.setValidatorCompiler(validatorCompiler);
  // Only tests compare responses with their schemas.
  app.setSerializerCompiler(() => JSON.stringify);
  readJsonBodies(app, deps.json);
  app.setErrorHandler(writeError);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('sent', undefined);
  app.decorateRequest('atClose', undefined);
  app.decorateRequest('beginParse', undefined);
  app.decorateRequest('endParse', undefined);
  app.decorateRequest('dropBody', undefined);
  app.decorateRequest('countParsed', undefined);
  app.decorateRequest('metBound', undefined);
  app.decorateRequest('recorded', undefined);
  app.decorateRequest('meterLate', undefined);
  app.decorateRequest('actor', undefined);
  app.decorateRequest('session', undefined);
  admitRequests(app, deps.limits.requests);
  traceRequests(app);
  setHeaders(app, deps);
  endConnections(app);
  logRequests(app);
  drainRefusedBodies(app);
  paceUploads(app, deps.limits);
  abortSlowBodies(app, { pace: deps.pace ?? USUAL_PACE, maxFormMs: deps.maxFormMs, chunks });
  if (part !== 'operators') await allowOrigins(app);
  // Rejects unknown routes before the body is read. The not-found handler responds for missing files of the page.
  const refuseUnknown = async (request: FastifyRequest, reply: FastifyReply) => {
    await countVisitor(deps.limits, request, reply);
    throw unknownPath(request);
  };
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) await refuseUnknown(request, reply);
  });
  app.setNotFoundHandler(refuseUnknown);
  limitUnreadAnswers(app, deps, toAnswerOwner);
  await app.register(multipart, { throwFileSizeLimit: false });
  await describeApi(app, deps.version);
  const compat = part !== 'operators' && deps.provenanceKitRoutes;
  const rendered = await openDocuments(deps.documentsFile ?? DOCUMENTS_FILE, { part, compat });
  const documents = createApiDocuments(app, rendered);
  const home = part === 'operators' ? undefined : '/app/';
  await referenceRoutes(app, { ...deps, documents, rendered, home });
  return { app, documents };
}

function toAnswerOwner({ principal, ip }: FastifyRequest) {
  if (principal !== undefined) return { id: principal.projectId, name: 'this project' } as const;
  return { id: networkOf(ip), name: 'this address' } as const;
}

type RefuseOtherMethods = ReturnType<typeof noteMethods>;

async function callerRoutes(app: App, deps: AppDeps, refuseOtherMethods: RefuseOtherMethods): Promise<void> {
  await pageRoutes(app, deps);
  await app.register(async (scope) => {
    v1Routes(scope as App, deps);
    refuseOtherMethods(scope as App, '/v1/');
    refuseUnknownPaths(scope as App, '/v1');
  });
  if (deps.provenanceKitRoutes) {
    await app.register(async (scope) => {
      provenanceKitRoutes(scope as App, deps);
      for (const prefix of PROVENANCEKIT_PREFIXES) refuseOtherMethods(scope as App, prefix);
    });
  }
}

async function visitorRoutes(app: App, deps: AppDeps, refuseOtherMethods: RefuseOtherMethods): Promise<void> {
  await app.register(async (scope) => {
    publicRoutes(scope as App, deps);
    for (const prefix of PUBLIC_PREFIXES) refuseOtherMethods(scope as App, prefix);
  });
  await app.register(async (scope) => {
    publicLogRoutes(scope as App, deps);
    refuseOtherMethods(scope as App, PUBLIC_LOG_PREFIX);
  });
  await app.register(async (scope) => pageProjectRoutes(scope as App, deps));
  await app.register((scope) =>
    pageApi(scope as App, deps, (inner) => refuseOtherMethods(inner, `${PAGE_API}/`)),
  );
}

async function operatorRoutes(
  app: App,
  deps: AppDeps & { metrics: Metrics },
  refuseOtherMethods: RefuseOtherMethods,
): Promise<void> {
  metricsRoute(app, deps, deps.metrics);
  await app.register(async (scope) => {
    managementRoutes(scope as App, deps);
    refuseOtherMethods(scope as App, '/management/');
    refuseUnknownPaths(scope as App, '/management');
  });
}

/** No page of another origin may call these routes. */
function refusePreflights(app: App): void {
  for (const url of ['/metrics', '/readyz', '/management', '/management/*'])
    app.options(url, { schema: { hide: true }, config: { cors: false } }, async (request) => {
      throw unknownPath(request);
    });
}

function createServer(
  {
    trustProxy,
    polls,
    limits,
    metrics,
    chunks,
  }: Pick<AppDeps, 'trustProxy' | 'polls' | 'limits'> & { metrics: Metrics; chunks: ChunkLimit },
  logger: FastifyBaseLogger,
): App {
  const underWay = new WeakMap<Duplex, Exchange>();
  const answerMalformed = refuseMalformed({ limits, trustProxy });
  const answerParserError = answerParserErrors({ limits, trustProxy });
  const { rewriteUrl, restore } = routeOtherMethods();
  const app = Fastify({
    rewriteUrl,
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // As a number, `trustProxy` is the number of proxies in front of the service.
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    bodyLimit: MAX_JSON_BYTES,
    routerOptions: { maxParamLength: MAX_SEGMENT_LENGTH },
    requestIdHeader: false,
    // Requests on an open connection get an ordinary response while the service closes.
    return503OnClosing: false,
    genReqId: ({ headers }) => readRequestId(headers['x-request-id']) ?? randomUUID(),
    serverFactory: (handle) =>
      createHttpServer(handle, {
        onArrival: noteExchange(underWay),
        onRefused: () => metrics.refused.inc({ bound: 'pipelining' }),
        chunks,
      }),
    frameworkErrors(error, request, reply) {
      restore(request.raw);
      answerMalformed(error, request, reply);
    },
    clientErrorHandler: (error, socket) => answerParserError(error, socket, underWay.get(socket)),
  });
  // Asynchronous, so that Fastify receives the complete request before it sends a response.
  app.addHook('onRequest', async ({ raw }) => {
    restore(raw);
    // No hook reports the end of a request whose caller disconnected, so its beginning counts too.
    if (raw.method !== 'GET') polls.note();
    if (raw.headers.host !== undefined || raw.httpVersion === '1.0') return;
    throw new ServiceError('InvalidField', 'The header Host is missing (RFC 9112 §3.2).');
  });
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (raw.method !== 'GET') polls.note();
    done();
  });
  // The service ignores an unknown expectation (RFC 9110 §10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app.withTypeProvider();
}

/** Notes the newest request of each connection until its response closes. */
function noteExchange(underWay: WeakMap<Duplex, Exchange>): RequestListener {
  return (request, response) => {
    const { socket } = request;
    underWay.set(socket, { request, response });
    response.once('close', () => {
      if (underWay.get(socket)?.request === request) underWay.delete(socket);
    });
  };
}

function readRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : undefined;
}

/** Closes each connection after its next response while the service shuts down. */
function endConnections(app: App): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
}

/** A route may set its own headers. */
function setHeaders(app: App, { management }: Pick<AppDeps, 'management'>): void {
  const overTls = management.deps.publicUrl?.startsWith('https:') === true;
  const usual = Object.entries(answerHeaders(overTls));
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id);
    for (const [name, value] of usual) if (!reply.hasHeader(name)) reply.header(name, value);
    // A browser could cache a response to a request with a key. If this response had the header, a page of another
    // origin could read the headers of the response from the cache.
    if (request.routeOptions.config.cors === false) return done();
    if (request.principal === undefined || request.raw.headers.origin !== undefined)
      reply.header('access-control-expose-headers', EXPOSED_HEADERS);
    done();
  });
}
