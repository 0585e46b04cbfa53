import { createMediaEngine, type MediaEngineOptions } from './create-media-engine.js';
import type { MediaEngine } from './media-engine.js';

/** An engine that starts with its first use, so that a service without media pays nothing for it. */
export interface LazyEngine {
  get(): Promise<MediaEngine>;
  /** Ends the engine if it was started. */
  close(): Promise<void>;
}

/** Starts nothing yet. */
export function createLazyEngine(options: MediaEngineOptions): LazyEngine {
  let started: Promise<MediaEngine> | undefined;
  return {
    get() {
      started ??= createMediaEngine(options);
      return started;
    },
    close: async () => (await started)?.close(),
  };
}
