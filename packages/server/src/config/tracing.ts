import type { TracingSettings } from '../platform/tracing/start-tracing.js';
import type { Variables } from './variables.js';

export type TracingConfig = Pick<TracingSettings, 'exporter' | 'continuesCallers'> | undefined;

/** Tracing is off by default, unlike in the OpenTelemetry SDK. An exporter or its address turns tracing on. */
export function toTracing(read: Variables): TracingConfig {
  const { OTEL_TRACES_EXPORTER: named, OTEL_PROPAGATORS: propagators } = read;
  const address = read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? read.OTEL_EXPORTER_OTLP_ENDPOINT;
  const exporter = named ?? (address === undefined ? 'none' : 'otlp');
  if (read.OTEL_SDK_DISABLED || exporter === 'none') return undefined;
  return { exporter, continuesCallers: propagators.split(',').includes('tracecontext') };
}
