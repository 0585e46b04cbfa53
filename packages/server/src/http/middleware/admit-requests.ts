import type { App } from '../app.js';

/** Time in each turn of the event loop in which requests may begin. */
const SLICE_MS = 10;

/**
 * Lets requests begin only in the first 10 ms of each turn of the event loop. Otherwise two hundred requests that
 * arrive together would block the main thread until each of them has sent its first statement. `/healthz` begins at
 * once.
 */
export function admitRequests(app: App): void {
  const waiting: (() => void)[] = [];
  let sliceEndsAt: number | undefined;

  function startTurn(): void {
    sliceEndsAt = undefined;
    if (waiting.length > 0) admitNext();
  }

  function hasTime(): boolean {
    if (sliceEndsAt === undefined) {
      sliceEndsAt = performance.now() + SLICE_MS;
      setImmediate(startTurn);
    }
    return performance.now() < sliceEndsAt;
  }

  function admitNext(): void {
    if (!hasTime()) return;
    waiting.shift()?.();
    // A microtask and a tick: the next request begins after this one has run up to its first wait.
    if (waiting.length > 0) queueMicrotask(() => process.nextTick(admitNext));
  }

  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.url === '/healthz' || (waiting.length === 0 && hasTime())) done();
    else waiting.push(done);
  });
}
