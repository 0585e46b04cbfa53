import { context, DiagLogLevel, diag, propagation } from '@opentelemetry/api';
import { setTracer } from './in-span.js';
import { traceOutgoing } from './trace-outgoing.js';

/** The SDK of OpenTelemetry reads all other settings from the standard `OTEL_*` variables. */
export interface TracingSettings {
  exporter: 'otlp' | 'console';
  /** Whether a span of a request continues the trace of the caller (W3C Trace Context). */
  continuesCallers: boolean;
  version: string;
  reportFailure: (message: string) => void;
}

const LAST_SPANS_MS = 3_000;

/** `close` sends the remaining spans for at most three seconds. */
export async function startTracing(settings: TracingSettings): Promise<{ close(): Promise<void> }> {
  const [{ AsyncLocalStorageContextManager }, { W3CTraceContextPropagator }, sdk, resources] =
    await Promise.all([
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
    ]);
  const report = (message: string) => settings.reportFailure(withoutAnswer(message));
  const quiet = () => {};
  diag.setLogger(
    { error: report, warn: report, info: quiet, debug: quiet, verbose: quiet },
    DiagLogLevel.WARN,
  );
  const named = { 'service.name': 'colophon', 'service.version': settings.version };
  const resource = resources
    .resourceFromAttributes(named)
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const processor = new sdk.BatchSpanProcessor(await createExporter(settings.exporter));
  const provider = new sdk.BasicTracerProvider({ resource, spanProcessors: [processor] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  if (settings.continuesCallers) propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  setTracer(provider.getTracer('colophon', settings.version));
  const stopOutgoing = traceOutgoing();
  return {
    async close() {
      stopOutgoing();
      setTracer(undefined);
      await Promise.race([
        provider.shutdown().catch((error) => report(String(error))),
        expire(LAST_SPANS_MS),
      ]);
      for (const api of [context, propagation, diag]) api.disable();
    },
  };
}

/** Removes the collector's response from a message of OpenTelemetry: the response may repeat data of the spans. */
function withoutAnswer(said: string): string {
  if (!said.startsWith('{')) return said;
  const { name, message, code } = JSON.parse(said) as Record<string, unknown>;
  return [name, message, code].filter((part) => typeof part === 'string').join(': ');
}

async function createExporter(kind: TracingSettings['exporter']) {
  if (kind === 'otlp')
    return new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter();
  return new (await import('@opentelemetry/sdk-trace-base')).ConsoleSpanExporter();
}

function expire(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
