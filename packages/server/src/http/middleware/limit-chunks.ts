import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createIsProxy, networkOf } from '../../platform/net/client-address.js';
import { setNewest } from '../../platform/work/set-newest.js';
import type { AppDeps } from '../app.js';

/** Number of chunks of any size (RFC 9112 §7.1) that a body may have. */
const MAX_SMALL_CHUNKS = 4_096;
/** Number of bytes that a body must have for each further chunk. */
export const MIN_CHUNK_BYTES = 32;
/** Small chunks that all bodies of a network together may have, and the number that it regains per second. */
const NETWORK_CHUNKS = { burst: 16_384, perSecond: 8_192 };
/** After too many small chunks, the service reads new connections of the network only after this time. */
const PAUSE_MS = 1_000;
const MAX_NETWORKS = 10_000;

interface NetworkChunks {
  spare: number;
  filledAtMs: number;
  pausedUntilMs: number;
}

/**
 * Limits small chunks, because the parse of a chunk takes a microsecond whatever its size. Trusted proxies have only the
 * limit of each body, because they carry the bodies of many clients.
 */
export interface ChunkLimit {
  /** Counts the chunks of a request from its arrival. */
  watch(request: IncomingMessage): void;
  /** Calls `cut` after too many small chunks. Before this call, the service closes the connection instead. */
  onExceeded(request: IncomingMessage, cut: () => void): void;
  /** Time for which the service must not read a new connection. */
  pauseMs(socket: Socket): number;
}

export function createChunkLimit(
  { trustProxy }: Pick<AppDeps, 'trustProxy'>,
  onExceeded: () => void,
  pauseMs = PAUSE_MS,
): ChunkLimit {
  const isProxy = createIsProxy(trustProxy);
  const networks = new Map<string, NetworkChunks>();
  const cuts = new WeakMap<IncomingMessage, () => void>();

  function find({ remoteAddress }: Socket): NetworkChunks | undefined {
    if (remoteAddress === undefined || isProxy(remoteAddress, 0)) return undefined;
    const network = networkOf(remoteAddress);
    const now = performance.now();
    const known = networks.get(network) ?? { spare: NETWORK_CHUNKS.burst, filledAtMs: now, pausedUntilMs: 0 };
    setNewest(networks, network, known, MAX_NETWORKS);
    const gained = ((now - known.filledAtMs) / 1000) * NETWORK_CHUNKS.perSecond;
    known.spare = Math.min(NETWORK_CHUNKS.burst, known.spare + gained);
    known.filledAtMs = now;
    return known;
  }

  return {
    watch(request) {
      const { socket } = request;
      const network = find(socket);
      const push = request.push.bind(request);
      let spare = MAX_SMALL_CHUNKS;
      // Node calls `push` for each chunk. An event `data` can join several chunks.
      request.push = (chunk: Buffer | null) => {
        const gained = chunk === null ? 0 : chunk.length / MIN_CHUNK_BYTES - 1;
        spare += gained;
        if (network !== undefined && gained < 0) network.spare += gained;
        if (spare >= 0 && (network?.spare ?? 0) >= 0) return push(chunk);
        request.push = () => false;
        if (network !== undefined) network.pausedUntilMs = performance.now() + pauseMs;
        onExceeded();
        const cut = cuts.get(request);
        if (cut === undefined) socket.destroy();
        else cut();
        return false;
      };
    },
    onExceeded: (request, cut) => void cuts.set(request, cut),
    pauseMs({ remoteAddress }) {
      if (networks.size === 0 || remoteAddress === undefined) return 0;
      return Math.max(0, (networks.get(networkOf(remoteAddress))?.pausedUntilMs ?? 0) - performance.now());
    },
  };
}
