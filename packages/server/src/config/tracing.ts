import type { TracingSettings } from '../platform/tracing/start-tracing.js';
import type { Variables } from './variables.js';

/** Where spans go; undefined where none are made. */
export type TracingConfig = Pick<TracingSettings, 'exporter' | 'continuesCallers'> | undefined;

/** Spans are made where an exporter or an address for them is named: the standard's own default would be always. */
export function toTracing(read: Variables): TracingConfig {
  const { OTEL_TRACES_EXPORTER: named, OTEL_PROPAGATORS: propagators } = read;
  const address = read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? read.OTEL_EXPORTER_OTLP_ENDPOINT;
  const exporter = named ?? (address === undefined ? 'none' : 'otlp');
  if (read.OTEL_SDK_DISABLED || exporter === 'none') return undefined;
  return { exporter, continuesCallers: propagators.split(',').includes('tracecontext') };
}
