import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, createClient, createManagementClient, NoAnswerError } from '../src/index.js';
import { refuses, type StandIn, says, startStandIn } from './support/stand-in.js';

const ANN = { entity: { role: 'human', name: 'Ann' } };
const BYTES = new TextEncoder().encode('some bytes');

let standIn: StandIn;
afterEach(() => {
  vi.useRealTimers();
  return standIn.close();
});

async function stand(...answers: Parameters<typeof startStandIn>) {
  standIn = await startStandIn(...answers);
  return createClient({ url: standIn.url, apiKey: 'key' });
}

const hangsUp = (response: ServerResponse) => void response.destroy();
const keys = () => standIn.received.map(({ headers }) => headers['idempotency-key']);

describe('a call with a transient failure', () => {
  it('is repeated with the same Idempotency-Key and body', async () => {
    const again = { 'retry-after': '0' };
    const client = await stand(refuses(429, 'TooManyRequests', again), says(201, { actionId: 'a' }));
    await expect(client.actions.record({ performedBy: 'ann' })).resolves.toEqual({ actionId: 'a' });
    expect(keys()).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys()[0]]);
    expect(standIn.received[1]?.body).toEqual(standIn.received[0]?.body);
  });

  it('is repeated after the seconds of Retry-After, and not earlier', async () => {
    await stand(says(200, {}));
    vi.useFakeTimers();
    const headers = { 'retry-after': '7' };
    const refusal = { error: { code: 'TooManyRequests', message: 'Later.', requestId: 'r1' } };
    let attempts = 0;
    const fetch = async () =>
      ++attempts === 1 ? Response.json(refusal, { status: 429, headers }) : Response.json({ id: 'ann' });
    const found = createClient({ url: standIn.url, fetch }).entities.get('ann');
    await vi.advanceTimersByTimeAsync(6_999);
    expect(attempts).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    await expect(found).resolves.toEqual({ id: 'ann' });
  });

  it('is repeated if the date of Retry-After has passed', async () => {
    const date = new Date(Date.now() - 60_000).toUTCString();
    const client = await stand(refuses(503, 'Unavailable', { 'retry-after': date }), says(200, {}));
    await client.entities.get('ann');
    expect(standIn.received).toHaveLength(2);
  });

  it('fails immediately if Retry-After exceeds the longest delay that the client allows', async () => {
    await stand(refuses(429, 'TooManyRequests', { 'retry-after': '3600' }));
    const client = createClient({ url: standIn.url, maxRetryDelayMs: 5_000 });
    const refusal = await client.entities.get('ann').catch((error) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({ code: 'TooManyRequests', retryAfterMs: 3_600_000, requestId: 'r1' });
    expect(standIn.received).toHaveLength(1);
  });

  it('is repeated after a broken connection, and sends its file again from the first byte', async () => {
    const client = await stand(hangsUp, says(201, { cid: 'c' }));
    await expect(client.file(BYTES, ANN)).resolves.toEqual({ cid: 'c' });
    expect(keys()).toEqual([expect.any(String), keys()[0]]);
    expect(String(standIn.received[1]?.body)).toContain('some bytes');
  });

  it('is repeated after a 409 with Retry-After, because its first attempt is still running', async () => {
    const client = await stand(refuses(409, 'Conflict', { 'retry-after': '0' }), says(201, { cid: 'c' }));
    await expect(client.file(BYTES, ANN)).resolves.toEqual({ cid: 'c' });
  });

  it('is repeated when a proxy answers 502 instead of the service', async () => {
    const page = (response: ServerResponse) => void response.writeHead(502).end('<html>Bad gateway');
    const client = await stand(page, says(200, { id: 'ann' }));
    await expect(client.entities.get('ann')).resolves.toEqual({ id: 'ann' });
  });

  it('fails with the last error after the allowed number of repetitions', async () => {
    const client = await stand(refuses(503, 'Unavailable', { 'retry-after': '0' }));
    await expect(client.entities.get('ann', { maxRetries: 3 })).rejects.toMatchObject({ status: 503 });
    expect(standIn.received).toHaveLength(4);
  });

  it('keeps the Idempotency-Key of its caller', async () => {
    const client = await stand(says(201, { id: 'ann' }));
    await client.entities.create({ role: 'human' }, { idempotencyKey: 'my-key' });
    expect(keys()).toEqual(['my-key']);
  });
});

describe('a call is not repeated', () => {
  it.each([
    [400, 'InvalidField'],
    [404, 'NotFound'],
    [409, 'Conflict'],
    [422, 'ValidationError'],
    [500, 'Internal'],
    [504, 'Timeout'],
  ])('when the service answers %i %s', async (status, code) => {
    const client = await stand(refuses(status, code));
    await expect(client.file(BYTES, ANN)).rejects.toMatchObject({ name: 'ApiError', status, code });
    expect(standIn.received).toHaveLength(1);
  });

  it('when its lost answer may have contained a secret', async () => {
    await stand(hangsUp);
    const { apiKeys } = createManagementClient({ url: standIn.url, managementKey: 'm', userId: 'ann' });
    const making = apiKeys.create({ projectId: 'p', name: 'key' });
    await expect(making).rejects.toMatchObject({ name: 'NoAnswerError', reason: 'unreachable' });
    expect(keys()).toEqual([undefined]);
  });

  it('when it may have deleted something', async () => {
    await stand(hangsUp);
    const { orgs } = createManagementClient({ url: standIn.url, managementKey: 'm', userId: 'ann' });
    await expect(orgs.delete('planet')).rejects.toBeInstanceOf(NoAnswerError);
    expect(standIn.received).toHaveLength(1);
  });

  it('when its body is a stream, unless a function opens a new stream', async () => {
    const client = await stand(refuses(503, 'Unavailable', { 'retry-after': '0' }));
    async function* stream() {
      yield BYTES;
    }
    await expect(client.file(stream(), ANN)).rejects.toMatchObject({ status: 503 });
    expect(standIn.received).toHaveLength(1);
    await expect(client.file(stream, ANN)).rejects.toMatchObject({ status: 503 });
    expect(standIn.received).toHaveLength(4);
  });
});

describe('a call ends', () => {
  const never = () => {};

  it('with NoAnswerError when no answer comes in time', async () => {
    const client = await stand(never);
    const late = client.entities.get('ann', { timeoutMs: 50, maxRetries: 1 });
    await expect(late).rejects.toMatchObject({ name: 'NoAnswerError', reason: 'late' });
    expect(standIn.received).toHaveLength(2);
  });

  it('with NoAnswerError when an answer begins in time but does not end', async () => {
    const client = await stand((response) => void response.writeHead(200).write('{'));
    const late = client.entities.get('ann', { timeoutMs: 200, maxRetries: 0 });
    await expect(late).rejects.toMatchObject({ reason: 'late' });
  });

  it("with the signal's reason if the signal aborts before, during or between attempts", async () => {
    const client = await stand(never);
    const reason = new Error('enough');
    await expect(client.entities.get('ann', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(standIn.received).toHaveLength(0);
    const running = new AbortController();
    setTimeout(() => running.abort(reason), 50);
    await expect(client.file(BYTES, ANN, { signal: running.signal })).rejects.toBe(reason);
    await standIn.close();
    const waiting = await stand(refuses(503, 'Unavailable', { 'retry-after': '30' }));
    const between = new AbortController();
    setTimeout(() => between.abort(reason), 200);
    await expect(waiting.entities.get('ann', { signal: between.signal })).rejects.toBe(reason);
    expect(standIn.received).toHaveLength(1);
  });

  it('with NoAnswerError if no server listens, or if another server answers', async () => {
    const client = await stand(says(200, 'no'), (response) => void response.end('<html>'));
    await client.entities.get('ann');
    await expect(client.entities.get('ann')).rejects.toMatchObject({ reason: 'foreign', status: 200 });
    await standIn.close();
    const nobody = client.entities.get('ann', { maxRetries: 0 });
    await expect(nobody).rejects.toMatchObject({ reason: 'unreachable' });
    standIn = await startStandIn(never);
  });

  it('with the error that reading its file throws, also if this error is a TypeError', async () => {
    const client = await stand(says(201, {}));
    for (const fault of [new Error('the disk is gone'), new TypeError('no such file')]) {
      async function* failing() {
        yield BYTES;
        throw fault;
      }
      await expect(client.file(failing(), ANN)).rejects.toBe(fault);
      await expect(client.file(failing, ANN)).rejects.toBe(fault);
    }
    const nothing = client.file('text' as unknown as Uint8Array, ANN);
    await expect(nothing).rejects.toThrow('Expected content as bytes');
  });

  it('with NoAnswerError when the server stops reading the file', async () => {
    const deaf = createTcpServer((socket) => void socket.pause()).listen(0, '127.0.0.1');
    await new Promise((resolve) => deaf.once('listening', resolve));
    await stand(never);
    const url = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`;
    const stuck = createClient({ url }).file(new Uint8Array(64_000_000), ANN, {
      timeoutMs: 500,
      maxRetries: 0,
    });
    await expect(stuck).rejects.toMatchObject({ name: 'NoAnswerError', reason: 'late' });
    deaf.close();
  });

  it('with the response even if reading its file takes longer than the timeout', async () => {
    const client = await stand(says(201, { cid: 'c' }));
    async function* slow() {
      for (let piece = 0; piece < 3; piece++) {
        await new Promise((resolve) => setTimeout(resolve, 400));
        yield BYTES;
      }
    }
    await expect(client.file(slow(), ANN, { timeoutMs: 300 })).resolves.toEqual({ cid: 'c' });
  });

  it('with TypeError before it is sent, if an id would change the path', async () => {
    const client = await stand(never);
    for (const id of ['', '.', '..']) expect(() => client.entities.get(id)).toThrow(TypeError);
    const escaping = client.entities.get('a/../b?c#d', { timeoutMs: 20, maxRetries: 0 });
    await expect(escaping).rejects.toMatchObject({ reason: 'late' });
  });
});
