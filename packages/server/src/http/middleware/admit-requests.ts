import type { App } from '../app.js';

/** Part of a turn of the event loop in which requests may begin. */
const SLICE_MS = 10;

/**
 * Lets requests begin for 10 ms of each turn of the event loop. Without this limit, two hundred requests that arrive at
 * the same moment would hold the main thread until each of them has sent its first statement. `/healthz` begins at once.
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
    // The microtask, then the tick: the next request begins after this one has done all that it can do now.
    if (waiting.length > 0) queueMicrotask(() => process.nextTick(admitNext));
  }

  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.url === '/healthz' || (waiting.length === 0 && hasTime())) done();
    else waiting.push(done);
  });
}
