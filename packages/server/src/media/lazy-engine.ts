import { createMediaEngine, type MediaEngineOptions } from './create-media-engine.js';
import type { MediaEngine } from './media-engine.js';

/** Time after a failed start until the next attempt. */
const RETRY_AFTER_MS = 30_000;

/** An engine that starts with its first use, so that a service without media uses no memory for it. */
export interface LazyEngine {
  /**
   * Returns the engine. After a failed start (see `available`), the first call after `retryAfterMs` starts it again.
   */
  get(): Promise<MediaEngine>;
  /** Ends the engine if it was started. */
  close(): Promise<void>;
}

export interface LazyEngineOptions extends MediaEngineOptions {
  /** Time after a failed start until the next attempt, in milliseconds; 30 s by default. */
  retryAfterMs?: number;
}

export function createLazyEngine({
  retryAfterMs = RETRY_AFTER_MS,
  ...options
}: LazyEngineOptions): LazyEngine {
  let started: Promise<MediaEngine> | undefined;
  let retryAtMs = Number.POSITIVE_INFINITY;
  const start = async () => {
    const engine = await createMediaEngine(options);
    if (engine.available !== true) retryAtMs = performance.now() + retryAfterMs;
    return engine;
  };
  return {
    get() {
      if (performance.now() >= retryAtMs) started = undefined;
      if (started !== undefined) return started;
      retryAtMs = Number.POSITIVE_INFINITY;
      started = start();
      return started;
    },
    close: async () => (await started)?.close(),
  };
}
