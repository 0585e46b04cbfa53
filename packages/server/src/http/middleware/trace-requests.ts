import { type ServedSpan, startServedSpan } from '../../platform/tracing/in-span.js';
import type { App } from '../app.js';

/** The log lines of a request have the id of its trace. */
export function traceRequests(app: App): void {
  const spans = new WeakMap<object, ServedSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const span = startServedSpan(request.method, request.headers);
    if (span === undefined) return done();
    spans.set(request, span);
    request.log = request.log.child({ trace_id: span.traceId });
    span.enter(done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    spans.get(request)?.end({ route, status: reply.statusCode });
    done();
  });
}
