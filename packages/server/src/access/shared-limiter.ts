import { randomUUID } from 'node:crypto';
import { createClient, defineScript } from '@redis/client';
import { withTimeout } from '../platform/sleep-until.js';
import { type Allowance, type Limiter, toVerdict, WINDOW_MS } from './limiter.js';

/** Request limits in a Redis or Valkey server that several nodes share. */
export interface SharedLimits {
  /** All nodes share the windows with the same name and key. While the Redis server is unavailable, `local` decides. */
  createLimiter(name: string, allowance: Allowance, local: Limiter): Limiter;
  ping(): Promise<void>;
  close(): Promise<void>;
}

const ANSWER_TIMEOUT_MS = 250;
/** After a failure, the node uses its local limiter for this time. */
const REST_MS = 1_000;
const RECONNECT_MS = 1_000;

/** The sliding window of `createLimiter` as a sorted set. Uses the clock of the Redis server, in milliseconds. */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${WINDOW_MS})
local count = redis.call('ZCARD', KEYS[1])
local allowed = 0
if count < tonumber(ARGV[1]) then
  redis.call('ZADD', KEYS[1], now, ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ${WINDOW_MS})
  allowed = 1
  count = count + 1
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] or now
return { allowed, count, tostring(oldest), tostring(now) }
`;

type RedisVerdict = [allowed: number, count: number, oldest: string, now: string];

const take = defineScript({
  SCRIPT: TAKE,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser, key: string, limit: number, mark: string) {
    parser.pushKey(key);
    parser.push(String(limit), mark);
  },
  transformReply([allowed, count, oldest, now]: RedisVerdict) {
    return { allowed: allowed === 1, count, oldestMs: Number(oldest), nowMs: Number(now) };
  },
});

/** Connects in the background. Calls `reportFailure` once for each outage. */
export function openSharedLimits(url: string, reportFailure: (error: unknown) => void): SharedLimits {
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: RECONNECT_MS, connectTimeout: 10_000 },
    scripts: { take },
  });
  let restsUntil = Number.NEGATIVE_INFINITY;
  let isAway = false;
  const node = randomUUID();
  let counted = 0;

  const noteFailure = (error: unknown) => {
    if (!isAway) reportFailure(error);
    isAway = true;
    restsUntil = performance.now() + REST_MS;
  };
  client.on('error', noteFailure);
  // `connect` does not reject while the client tries to reconnect.
  const connecting = client.connect().catch(noteFailure);

  return {
    createLimiter: (name, { perMinute, burst }, local) => ({
      async take(key) {
        if (performance.now() < restsUntil || !client.isReady) return local.take(key);
        const limit = perMinute + burst;
        try {
          const mark = `${node}:${counted++}`;
          const taken = await withTimeout(
            client.take(`colophon:${name}:${key}`, limit, mark),
            ANSWER_TIMEOUT_MS,
          );
          isAway = false;
          return toVerdict({ limit, ...taken });
        } catch (error) {
          noteFailure(error);
          return local.take(key);
        }
      },
    }),
    async ping() {
      await withTimeout(client.ping(), ANSWER_TIMEOUT_MS);
    },
    async close() {
      client.destroy();
      await connecting;
    },
  };
}
