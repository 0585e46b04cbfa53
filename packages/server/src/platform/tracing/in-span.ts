import {
  type Attributes,
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

let tracer: Tracer | undefined;

export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

export async function inSpan<Result>(
  name: string,
  options: { kind?: SpanKind; attributes?: Attributes; links?: Link[] },
  run: () => Promise<Result>,
): Promise<Result> {
  if (tracer === undefined) return run();
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await run();
    } catch (error) {
      markFailed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Creates a span only below a current span, so that polling loops do not fill the traces. */
export function inSpanBelow<Result>(
  name: string,
  options: { kind?: SpanKind; attributes?: Attributes },
  run: () => Promise<Result>,
): Promise<Result> {
  return isInSpan() ? inSpan(name, options, run) : run();
}

/** The caller must end the span. Undefined without a current span. */
export function startSpanBelow(
  name: string,
  options: { kind: SpanKind; attributes: Attributes },
): Span | undefined {
  return isInSpan() ? tracer?.startSpan(name, options) : undefined;
}

function isInSpan(): boolean {
  return tracer !== undefined && trace.getActiveSpan() !== undefined;
}

/** The trace context of a request whose work runs later. */
export type Origin = Context | undefined;

export function noteOrigin(): Origin {
  return tracer === undefined ? undefined : context.active();
}

/** Work for several requests gets a separate trace with links to them. Work for one request continues its trace. */
export async function inSpanOf<Result>(
  name: string,
  origins: readonly Origin[],
  run: () => Promise<Result>,
): Promise<Result> {
  const known = origins.filter((origin) => origin !== undefined);
  const [first] = known;
  if (tracer === undefined || first === undefined) return run();
  if (known.length === 1) return context.with(first, run);
  const links = known.flatMap((origin) => {
    const asked = trace.getSpanContext(origin);
    return asked === undefined ? [] : [{ context: asked }];
  });
  return context.with(ROOT_CONTEXT, () => inSpan(name, { links }, run));
}

/** Records only the kind of the error, since its message may quote input of the caller. */
export function markFailed(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

export interface ServedSpan {
  traceId: string;
  /** Calls `next` with this span as the current span. */
  enter(next: () => void): void;
  end(answer: { route: string; status: number }): void;
}

const FIRST_SERVER_ERROR = 500;

/** Follows OpenTelemetry's conventions for HTTP servers, but omits the path: it contains identifiers of content. */
export function startServedSpan(method: string, headers: Record<string, unknown>): ServedSpan | undefined {
  if (tracer === undefined) return undefined;
  const caller: Context = propagation.extract(context.active(), headers);
  const attributes = { 'http.request.method': method };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, caller);
  const inside = trace.setSpan(caller, span);
  return {
    traceId: span.spanContext().traceId,
    enter: (next) => context.with(inside, next),
    end({ route, status }) {
      span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
      if (status >= FIRST_SERVER_ERROR) {
        span.setAttribute('error.type', String(status));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}
