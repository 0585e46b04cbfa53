import type { FastifyRequest } from 'fastify';
import type { OpenUnits } from '../../access/open-units.js';
import { networkOf } from '../../platform/net/client-address.js';
import { restAfter } from '../../platform/work/scheduler.js';
import type { App } from '../app.js';
import { announcedBytes } from '../wire/receive-body.js';

/** Time at the start of each pass of the event loop in which requests may begin. */
const SLICE_MS = 10;
/**
 * The length of a slice in a pass that brought a connection. libuv accepts few connections in each pass, so shorter
 * passes accept connections sooner.
 */
const ARRIVAL_SLICE_MS = 1;
/** Maximum time between two passes with a full slice, so that many connections cannot stop the requests. */
const FULL_SLICE_EVERY_MS = 50;
/** Size above which the check of a body takes milliseconds. */
const LARGE_BODY_BYTES = 16 * 1024;
/** A project counts as a project with requests for this time after its last response. */
const PAUSE_BETWEEN_REQUESTS_MS = 100;

/** Waiting requests by caller and credential. In both maps, the first entry has the next turn. */
type WaitingRequests = Map<string, Map<string, (() => void)[]>>;

/**
 * Lets requests begin only at the start of each pass of the event loop, so that many requests that arrive together do
 * not block the main thread. Networks take turns, and within a network the API keys and sessions. So random keys give a
 * network no additional turns.
 *
 * In each pass, one request of each network to `/healthz` waits for no turn.
 *
 * A request with a large body waits again before the check of its body, and the owners of projects take turns. After a
 * slow check, an owner rests for a time if projects of other owners have requests.
 */
export function admitRequests(app: App, { hasOtherOwners }: Pick<OpenUnits, 'hasOtherOwners'>): void {
  const { admit, rest } = createAdmission(app.server);
  /** Networks that had a probe in this pass. */
  const probed = new Set<string>();
  const isFreeProbe = ({ ip }: FastifyRequest) => {
    const network = networkOf(ip);
    if (probed.has(network)) return false;
    if (probed.size === 0) setImmediate(() => probed.clear());
    probed.add(network);
    return true;
  };
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.url === '/healthz' && isFreeProbe(request)) done();
    else admit(toTurn(request), done);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (!hasLargeBody(request)) return done();
    const turn = toTurn(request);
    const { principal } = request;
    admit(turn, () => {
      const startedMs = performance.now();
      done();
      const tookMs = performance.now() - startedMs;
      if (principal === undefined || tookMs < 1) return;
      if (hasOtherOwners(principal.projectId, PAUSE_BETWEEN_REQUESTS_MS))
        rest(turn.caller, restAfter(tookMs));
    });
  });
}

/** `admit` calls `begin` at the turn of the caller. `rest` lets the requests of a caller wait for `restMs`. */
function createAdmission(server: App['server']) {
  const waiting: WaitingRequests = new Map();
  /** Has an entry for each owner that rests, even if none of its requests waits. */
  const resting: WaitingRequests = new Map();
  let sliceEndsAt: number | undefined;
  let hasArrival = false;
  let fullSliceAtMs = 0;
  server.on('connection', () => {
    hasArrival = true;
  });

  function startTurn(): void {
    sliceEndsAt = undefined;
    admitNext();
  }

  function hasTime(): boolean {
    if (sliceEndsAt === undefined) {
      const now = performance.now();
      const isShort = hasArrival && now - fullSliceAtMs < FULL_SLICE_EVERY_MS;
      if (!isShort) fullSliceAtMs = now;
      hasArrival = false;
      sliceEndsAt = now + (isShort ? ARRIVAL_SLICE_MS : SLICE_MS);
      setImmediate(startTurn);
    }
    return performance.now() < sliceEndsAt;
  }

  function admitNext(): void {
    const [next] = waiting;
    if (next === undefined || !hasTime()) return;
    const [caller, credentials] = next;
    const begin = takeFirst(credentials);
    waiting.delete(caller);
    if (credentials.size > 0) waiting.set(caller, credentials);
    begin?.();
    // A microtask and a tick let this request run up to its first `await` before the next one begins.
    if (waiting.size > 0) queueMicrotask(() => process.nextTick(admitNext));
  }

  function admit({ caller, credential }: ReturnType<typeof toTurn>, begin: () => void): void {
    const queues = resting.has(caller) ? resting : waiting;
    if (queues === waiting && waiting.size === 0 && hasTime()) {
      begin();
      return;
    }
    const credentials = queues.get(caller) ?? new Map<string, (() => void)[]>();
    queues.set(caller, credentials);
    const requests = credentials.get(credential);
    if (requests === undefined) credentials.set(credential, [begin]);
    else requests.push(begin);
  }

  function rest(caller: string, restMs: number): void {
    resting.set(caller, waiting.get(caller) ?? new Map());
    waiting.delete(caller);
    setTimeout(() => {
      const credentials = resting.get(caller);
      resting.delete(caller);
      if (credentials === undefined || credentials.size === 0) return;
      waiting.set(caller, credentials);
      admitNext();
    }, restMs);
  }

  return { admit, rest };
}

function toTurn({ principal, headers, ip }: FastifyRequest): { caller: string; credential: string } {
  if (principal !== undefined) {
    const { owner, projectId } = principal;
    return { caller: `owner ${owner ?? projectId}`, credential: projectId };
  }
  const { cookie = '', authorization = cookie } = headers;
  return { caller: networkOf(ip), credential: authorization };
}

/** Takes the first request of the first credential, and moves this credential to the end. */
function takeFirst(credentials: Map<string, (() => void)[]>): (() => void) | undefined {
  const [next] = credentials;
  if (next === undefined) return undefined;
  const [credential, requests] = next;
  const begin = requests.shift();
  credentials.delete(credential);
  if (requests.length > 0) credentials.set(credential, requests);
  return begin;
}

/** Whether the body is large, or of unknown length. A form has no `body` yet. */
function hasLargeBody({ body, headers }: FastifyRequest): boolean {
  return body !== undefined && announcedBytes(headers) > LARGE_BODY_BYTES;
}
