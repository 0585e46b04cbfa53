import { createMediaEngine, type MediaEngineOptions } from './create-media-engine.js';
import type { MediaEngine } from './media-engine.js';

const RETRY_AFTER_MS = 30_000;

/** Starts with its first use, so that a service without media uses no memory for it. */
export interface LazyEngine {
  /** After a failed start (see `available`), the first call after `retryAfterMs` starts the engine again. */
  get(): Promise<MediaEngine>;
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
