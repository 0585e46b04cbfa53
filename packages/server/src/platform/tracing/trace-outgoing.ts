import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { markFailed, startSpanBelow } from './in-span.js';

interface UndiciRequest {
  method: string;
  origin: string | URL;
}

const FIRST_CLIENT_ERROR = 400;

/**
 * Creates spans for outgoing HTTP requests until the returned function is called. They omit paths, queries and headers,
 * which can contain keys. Requests get no trace headers, so other servers learn nothing about the trace.
 */
export function traceOutgoing(): () => void {
  const spans = new WeakMap<object, Span>();
  const begin = (request: object, method: string, origin: URL) => {
    const port = Number(origin.port) || (origin.protocol === 'https:' ? 443 : 80);
    const server = { 'server.address': origin.hostname, 'server.port': port };
    const attributes = { 'http.request.method': method, ...server };
    const span = startSpanBelow(method, { kind: SpanKind.CLIENT, attributes });
    if (span !== undefined) spans.set(request, span);
  };
  const noteStatus = (request: object, status: number) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', status);
    if (status >= FIRST_CLIENT_ERROR) span?.setStatus({ code: SpanStatusCode.ERROR });
  };
  const end = (request: object, error?: unknown) => {
    const span = spans.get(request);
    if (span === undefined) return;
    spans.delete(request);
    if (error !== undefined) markFailed(span, error);
    span.end();
  };
  return subscribeAll({
    'undici:request:create': ({ request }: { request: UndiciRequest }) =>
      begin(request, request.method, new URL(request.origin)),
    'undici:request:headers': (notice: { request: object; response: { statusCode: number } }) =>
      noteStatus(notice.request, notice.response.statusCode),
    'undici:request:trailers': ({ request }: { request: object }) => end(request),
    'undici:request:error': (notice: { request: object; error: unknown }) =>
      end(notice.request, notice.error),
    'http.client.request.start': ({ request }: { request: ClientRequest }) => {
      begin(
        request,
        request.method,
        new URL(`${request.protocol}//${request.getHeader('host') ?? request.host}`),
      );
      request.once('error', (error) => end(request, error));
    },
    'http.client.response.finish': (notice: { request: ClientRequest; response: IncomingMessage }) => {
      noteStatus(notice.request, notice.response.statusCode ?? 0);
      end(notice.request);
    },
  });
}

function subscribeAll(listeners: Record<string, (notice: never) => void>): () => void {
  const each = Object.entries(listeners).map(([channel, listener]) => {
    const onMessage = (message: unknown) => listener(message as never);
    return { channel, onMessage };
  });
  for (const { channel, onMessage } of each) subscribe(channel, onMessage);
  return () => {
    for (const { channel, onMessage } of each) unsubscribe(channel, onMessage);
  };
}
