import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
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
    /** The first letter of `name` is the owner, the first two are the project, and all are the key. */
    const begin = (name: string, headers: IncomingHttpHeaders = {}) => {
      const raw = Object.assign(new EventEmitter(), { destroyed: false, writableFinished: false });
      const socket = Object.assign(new EventEmitter(), { destroyed: false, setMaxListeners: () => socket });
      const reply = { raw, request: { raw: { socket }, headers } } as unknown as FastifyReply;
      const principal = { projectId: name.slice(0, 2), owner: name.slice(0, 1), keyId: name } as Principal;
      const waited = turns.wait(principal, reply).then(() => void begun.push(name));
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
    const [first, second] = ['a1', 'a1', 'a1', 'a1', 'a2', 'b1'].map((name) => begin(name));
    await settle();
    expect(begun).toEqual(['a1', 'a1', 'b1']);
    expect(turns.waiting()).toBe(3);
    await first?.respond();
    await second?.respond();
    expect(begun.slice(3)).toEqual(['a2', 'a1']);
    expect(turns.waiting()).toBe(1);
  });

  it('take turns by key within a project', async () => {
    const { begun, begin } = open({ atOnce: 1 });
    const [first] = ['a1k', 'a1k', 'a1k', 'a1l'].map((name) => begin(name));
    await first?.respond();
    await vi.advanceTimersByTimeAsync(500);
    expect(begun).toEqual(['a1k', 'a1k', 'a1l']);
  });

  it('all begin at once while no other owner has requests, also those that wait already', async () => {
    let hasOthers = true;
    const { begun, begin } = open({ hasOtherOwners: () => hasOthers });
    const requests = Array.from({ length: 6 }, () => begin('a1'));
    await settle();
    expect(begun).toHaveLength(2);
    hasOthers = false;
    begin('a1');
    await settle();
    expect(begun).toHaveLength(3);
    await requests[0]?.respond();
    expect(begun).toHaveLength(7);
  });

  it.each([
    [250, {}],
    [250, { 'content-length': '65536' }],
    [100, { 'content-length': '65537' }],
    [100, { 'transfer-encoding': 'chunked' }],
  ])('do not wait longer than %i ms for a slow request with the headers %o', async (ms, headers) => {
    const { begun, begin } = open({ atOnce: 1 });
    for (let sent = 0; sent < 3; sent++) begin('a1', headers);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(begun).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toHaveLength(2);
  });

  it('are in progress in greater number while they get responses quickly', async () => {
    const { begun, begin } = open();
    const requests = Array.from({ length: 300 }, () => begin('a1'));
    await settle();
    // One response in each millisecond. In 20 ms, these are 20 requests.
    for (const request of requests.slice(0, 110)) {
      await vi.advanceTimersByTimeAsync(1);
      await request.respond();
    }
    expect(begun.length - 110).toBe(20);
    // 250 ms later, none of the 20 has a response.
    await vi.advanceTimersByTimeAsync(250);
    expect(begun.length - 130).toBe(2);
  });

  it('count up to the time limit when their callers leave', async () => {
    const { begun, begin } = open();
    const requests = ['a1', 'a1', 'a1'].map((name) => begin(name));
    await settle();
    for (const request of requests.slice(0, 2)) await request.leave();
    expect(begun).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(250);
    expect(begun).toHaveLength(3);
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
    const head = ['POST /v1/entity HTTP/1.1', `host: ${host}`, 'authorization: Bearer first-key'];
    const heads = [...head, 'content-type: application/json', 'content-length: 9', '', ''].join('\r\n');
    // The body never arrives, so this request counts for 250 ms.
    const [late, other] = await vi.waitUntil(async () => {
      const socket = connect({ host: '127.0.0.1', port: Number(port) }, () => socket.write(heads));
      await once(socket, 'connect');
      const both = await Promise.all([read('first-key'), read('other-key')]);
      socket.destroy();
      return both[0].status === 503 && both;
    });
    expect(other.status).toBe(200);
    const { error } = await late.json();
    expect(error.message).toContain('OWNER_REQUESTS_AT_ONCE');
    const metrics = await (await fetch(`${service.base}/metrics`)).text();
    expect(metrics).toMatch(/requests_refused_total\{bound="OWNER_REQUESTS_AT_ONCE"\} [1-9]/);
    expect(metrics).toContain('colophon_requests_waiting 0');
  } finally {
    await service.stop();
  }
});
