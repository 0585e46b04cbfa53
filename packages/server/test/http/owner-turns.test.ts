import { EventEmitter } from 'node:events';
import { connect } from 'node:net';
import type { FastifyReply } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Principal } from '../../src/control/principal.js';
import { createOwnerTurns } from '../../src/http/middleware/owner-turns.js';
import { startService } from '../support/service.js';

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('the requests of one owner', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function open({ atOnce = 2, hasOtherOwners = (): boolean => true } = {}) {
    const turns = createOwnerTurns({ atOnce, maxWaitMs: 1_000, hasOtherOwners });
    const begun: string[] = [];
    /** The first letter of `projectId` is the owner. */
    const begin = (projectId: string, bytes = 0) => {
      const raw = Object.assign(new EventEmitter(), { destroyed: false, writableFinished: false });
      const socket = Object.assign(new EventEmitter(), { destroyed: false, setMaxListeners: () => socket });
      const reply = {
        raw,
        request: { raw: { socket }, headers: { 'content-length': String(bytes) } },
      } as unknown as FastifyReply;
      const principal = { projectId, owner: projectId.slice(0, 1) } as Principal;
      const waited = turns.wait(principal, reply).then(() => void begun.push(projectId));
      const close = (writableFinished: boolean) => {
        Object.assign(raw, { writableFinished }).emit('close');
        return settle();
      };
      return { waited, respond: () => close(true), leave: () => close(false) };
    };
    return { begun, begin, turns };
  }

  it('wait for a response to an earlier one, while the projects take turns', async () => {
    const { begun, begin, turns } = open();
    const [first, second] = ['a1', 'a1', 'a1', 'a1', 'a2', 'b1'].map((projectId) => begin(projectId));
    await settle();
    expect(begun).toEqual(['a1', 'a1', 'b1']);
    expect(turns.waiting()).toBe(3);
    await first?.respond();
    await second?.respond();
    expect(begun.slice(3)).toEqual(['a1', 'a2']);
    expect(turns.waiting()).toBe(1);
  });

  it('all begin at once while no other owner has requests', async () => {
    const { begun, begin } = open({ hasOtherOwners: () => false });
    for (const projectId of ['a1', 'a1', 'a1']) begin(projectId);
    await settle();
    expect(begun).toHaveLength(3);
  });

  it.each([
    [250, 65_536],
    [100, 65_537],
  ])('do not wait longer than %i ms for a slow request of %i bytes', async (ms, bytes) => {
    const { begun, begin } = open({ atOnce: 1 });
    for (let sent = 0; sent < 3; sent++) begin('a1', bytes);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(begun).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toHaveLength(2);
  });

  it('are in progress in greater number when they get responses quickly, and not when their callers leave', async () => {
    for (const [isAnswered, most] of [
      [true, 20],
      [false, 2],
    ] as const) {
      const { begun, begin } = open();
      const requests = Array.from({ length: 300 }, () => begin('a1'));
      await settle();
      // One response in each millisecond. In 20 ms, these are 20 requests.
      for (const request of requests.slice(0, 110)) {
        await vi.advanceTimersByTimeAsync(1);
        await (isAnswered ? request.respond() : request.leave());
      }
      expect(begun.length - 110).toBe(most);
    }
  });

  it('get 503 after WORK_MAX_WAIT_MS, and 408 when the caller leaves', async () => {
    const { begun, begin, turns } = open({ atOnce: 1 });
    const requests = Array.from({ length: 6 }, () => begin('a1'));
    const last = requests.at(-1);
    const gone = requests.at(-2);
    const rejected = [
      expect(last?.waited).rejects.toMatchObject({ code: 'Unavailable', bound: 'OWNER_REQUESTS_AT_ONCE' }),
      expect(gone?.waited).rejects.toMatchObject({ status: 408 }),
    ];
    await gone?.leave();
    await vi.advanceTimersByTimeAsync(1_000);
    await Promise.all(rejected);
    expect(begun).toHaveLength(4);
    expect(turns.waiting()).toBe(0);
  });
});

it('a request that waits too long for others of its owner gets 503, and another owner gets a response', async () => {
  const environment = {
    API_KEYS: 'first-key:one,other-key:two',
    OWNER_REQUESTS_AT_ONCE: '1',
    WORK_MAX_WAIT_MS: '20',
  };
  const service = await startService('PGlite in memory', { environment });
  const read = (key: string) => service.send('/v1/entities', { headers: { authorization: `Bearer ${key}` } });
  try {
    expect([(await read('first-key')).status, (await read('other-key')).status]).toEqual([200, 200]);
    const { port, host } = new URL(service.base);
    const socket = connect({ host: '127.0.0.1', port: Number(port) });
    const head = ['POST /v1/entity HTTP/1.1', `host: ${host}`, 'authorization: Bearer first-key'];
    socket.write(`${[...head, 'content-type: application/json', 'content-length: 9'].join('\r\n')}\r\n\r\n`);
    const late = await vi.waitUntil(async () => {
      const response = await read('first-key');
      return response.status === 503 && response;
    });
    const { error } = await late.json();
    expect(error.message).toContain('OWNER_REQUESTS_AT_ONCE');
    expect((await read('other-key')).status).toBe(200);
    socket.destroy();
    const metrics = await (await fetch(`${service.base}/metrics`)).text();
    expect(metrics).toContain('requests_refused_total{bound="OWNER_REQUESTS_AT_ONCE"} 1');
    expect(metrics).toContain('colophon_requests_waiting 0');
  } finally {
    await service.stop();
  }
});
