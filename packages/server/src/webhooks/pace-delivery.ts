import type { WebhookDeps } from './deps.js';

/** Maximum part of a request that counts as work. The service mostly waits for the endpoint. */
const COUNTED_REQUEST_MS = 5;
/** Maximum part of an attempt that counts as work. A longer attempt mostly waits for a busy database. */
const COUNTED_ATTEMPT_MS = 25;

/**
 * `deliver` must send its requests with the `fetch` of its argument, so that the wait for a slow endpoint does not
 * count as work.
 */
export async function paceDelivery<Deps extends Pick<WebhookDeps, 'fetch' | 'rests'>>(
  deps: Deps,
  projectId: string,
  deliver: (deps: Deps) => Promise<void>,
): Promise<void> {
  const startedMs = performance.now();
  let waitedMs = 0;
  const fetch: WebhookDeps['fetch'] = async (...request: Parameters<typeof deps.fetch>) => {
    const sentMs = performance.now();
    try {
      return await deps.fetch(...request);
    } finally {
      waitedMs += Math.max(0, performance.now() - sentMs - COUNTED_REQUEST_MS);
    }
  };
  try {
    await deliver({ ...deps, fetch });
  } finally {
    const tookMs = performance.now() - startedMs - waitedMs;
    deps.rests.note(projectId, Math.min(tookMs, COUNTED_ATTEMPT_MS));
  }
}
