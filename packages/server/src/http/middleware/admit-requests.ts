import type { App } from '../app.js';

/** Time in each turn of the event loop in which requests may begin. */
const SLICE_MS = 10;

/**
 * Lets requests begin only in the first 10 ms of each turn of the event loop. Otherwise two hundred requests that
 * arrive together would block the main thread until each of them has sent its first statement. API keys take turns,
 * so the requests of one key do not delay those of another. `/healthz` begins at once.
 */
export function admitRequests(app: App): void {
  /** Waiting requests by `Authorization` header. The first header has the next turn. */
  const waiting = new Map<string, (() => void)[]>();
  let sliceEndsAt: number | undefined;

  function startTurn(): void {
    sliceEndsAt = undefined;
    admitNext();
  }

  function hasTime(): boolean {
    if (sliceEndsAt === undefined) {
      sliceEndsAt = performance.now() + SLICE_MS;
      setImmediate(startTurn);
    }
    return performance.now() < sliceEndsAt;
  }

  function admitNext(): void {
    const [next] = waiting;
    if (next === undefined || !hasTime()) return;
    const [credential, requests] = next;
    const begin = requests.shift();
    waiting.delete(credential);
    if (requests.length > 0) waiting.set(credential, requests);
    begin?.();
    // A microtask and a tick: the next request begins after this one has run up to its first wait.
    if (waiting.size > 0) queueMicrotask(() => process.nextTick(admitNext));
  }

  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.url === '/healthz' || (waiting.size === 0 && hasTime())) return done();
    const credential = request.headers.authorization ?? '';
    const requests = waiting.get(credential);
    if (requests === undefined) waiting.set(credential, [done]);
    else requests.push(done);
  });
}
