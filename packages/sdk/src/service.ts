import type { CallOptions } from './transport/call-options.js';
import type { Transport } from './transport/transport.js';

/** The status and the version of the running service. */
export interface Health {
  status: 'ok';
  version: string;
}

/** Whether the service is ready, with the status of each part. */
export interface Readiness {
  status: 'ready' | 'not ready';
  checks: Record<string, string>;
}

/** The state of the service. */
export interface Service {
  /**
   * Returns the status and the running version.
   *
   * @example
   * (await colophon.service.health()).status; // => 'ok'
   */
  health(options?: CallOptions): Promise<Health>;
  /**
   * Checks whether the process responds.
   *
   * @example
   * await colophon.service.liveness(); // => { status: 'ok' }
   */
  liveness(options?: CallOptions): Promise<{ status: 'ok' }>;
  /**
   * Checks whether the service is ready. `not ready` is a result, not an error.
   *
   * @example
   * (await colophon.service.readiness()).status; // => 'ready'
   */
  readiness(options?: CallOptions): Promise<Readiness>;
}

const UNAVAILABLE = 503;

export function createService({ ask }: Transport): Service {
  return {
    health: (options) => ask({ method: 'GET', path: '/' }, options),
    liveness: (options) => ask({ method: 'GET', path: '/healthz' }, options),
    readiness: (options) => ask({ method: 'GET', path: '/readyz', alsoAnswers: UNAVAILABLE }, options),
  };
}
