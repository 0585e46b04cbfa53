import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createIsProxy, networkOf } from '../../platform/net/client-address.js';
import { setNewest } from '../../platform/work/set-newest.js';
import type { AppDeps } from '../app.js';

/** Number of chunks of any size (RFC 9112 §7.1) that a body may have. */
const MAX_SMALL_CHUNKS = 4_096;
/** Number of bytes that a body must have for each further chunk. */
export const MIN_CHUNK_BYTES = 32;
/** After too many small chunks, the service reads new connections of the network only after this time. */
const PAUSE_MS = 1_000;
/** Time between two connections that the service reads after the pause, and the maximum of these times together. */
const GAP_MS = 50;
const MAX_GAPS_MS = 5_000;
const MAX_NETWORKS = 10_000;

interface Pause {
  untilMs: number;
  connections: number;
}

/** Limits the small chunks of a body, because the parse of a chunk takes a microsecond whatever its size. */
export interface ChunkLimit {
  /** Counts the chunks of a request from its arrival. */
  watch(request: IncomingMessage): void;
  /** Calls `cut` after too many small chunks. Before this call, the service closes the connection instead. */
  onExceeded(request: IncomingMessage, cut: () => void): void;
  /** Returns the time for which the service must not read this new connection. */
  delayConnection(socket: Socket): number;
}

/** `onExceeded`: called for each body with too many small chunks. */
export function createChunkLimit(
  { trustProxy }: Pick<AppDeps, 'trustProxy'>,
  onExceeded: () => void,
  pauseMs = PAUSE_MS,
): ChunkLimit {
  const isProxy = createIsProxy(trustProxy);
  const pauses = new Map<string, Pause>();
  const cuts = new WeakMap<IncomingMessage, () => void>();

  /** A trusted proxy has no pause, because it carries the requests of many clients. */
  function pause({ remoteAddress }: Socket): void {
    if (remoteAddress === undefined || isProxy(remoteAddress, 0)) return;
    const untilMs = performance.now() + pauseMs;
    setNewest(pauses, networkOf(remoteAddress), { untilMs, connections: 0 }, MAX_NETWORKS);
  }

  return {
    watch(request) {
      const { socket } = request;
      const push = request.push.bind(request);
      let spare = MAX_SMALL_CHUNKS;
      // Node calls `push` for each chunk. An event `data` can join several chunks.
      request.push = (chunk: Buffer | null) => {
        if (chunk !== null) spare += chunk.length / MIN_CHUNK_BYTES - 1;
        if (spare >= 0) return push(chunk);
        request.push = () => false;
        pause(socket);
        onExceeded();
        const cut = cuts.get(request);
        if (cut === undefined) socket.destroy();
        else cut();
        return false;
      };
    },
    onExceeded: (request, cut) => void cuts.set(request, cut),
    delayConnection({ remoteAddress }) {
      const known = remoteAddress === undefined ? undefined : pauses.get(networkOf(remoteAddress));
      const leftMs = (known?.untilMs ?? 0) - performance.now();
      if (known === undefined || leftMs <= 0) return 0;
      known.connections++;
      return leftMs + Math.min(known.connections * GAP_MS, MAX_GAPS_MS);
    },
  };
}
