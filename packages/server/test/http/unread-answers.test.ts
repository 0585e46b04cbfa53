import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LongAnswer } from '../../src/http/wire/limit-unread-answers.js';
import { ANY_ENGINE, jsonPost, KEY, OTHER_KEY, type Service, startService } from '../support/service.js';

const OTHER = { headers: { authorization: `Bearer ${OTHER_KEY}` } };
const cidOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const ROOT = cidOf('root');
/** About 11 MB do not fit into the buffers of the operating system. */
const PATH = `/v1/bundle/${ROOT}?direction=descendants&limit=1000`;
const MANY = Array.from({ length: 900 }, () => ({ performedBy: 'studio:ann' }));

let service: Service;
let sockets: Socket[] = [];
const leave = () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
};
afterEach(leave);

beforeAll(async () => {
  service = await startService(ANY_ENGINE, {
    environment: { MAX_PROJECT_ANSWER_BYTES: String(2 ** 20), MAX_PROJECT_REQUESTS: '4' },
    overrides: { readerPace: { intervalMs: 9_000, minBytes: 1 } },
  });
  await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
  const actions = Array.from({ length: 900 }, (_, place) => ({
    performedBy: 'studio:ann',
    inputCids: [ROOT],
    outputCids: [cidOf(`made ${place}`)],
    extensions: { 'ext:brief@1.0.0': { text: 'm'.repeat(12_000) } },
  }));
  for (let at = 0; at < actions.length; at += 50) {
    const batch = await service.send('/v1/batch', jsonPost({ actions: actions.slice(at, at + 50) }));
    expect([batch.status, await batch.text()]).toEqual([201, expect.any(String)]);
  }
});
afterAll(() => service.stop());

const toHead = (line: string, headers: readonly string[] = []) =>
  `${[`${line} HTTP/1.1`, 'host: x', `authorization: Bearer ${KEY}`, ...headers].join('\r\n')}\r\n\r\n`;

function send(text: string, { base } = service): Socket {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(base).port) });
  socket.on('error', () => {}).pause();
  socket.write(text);
  sockets.push(socket);
  return socket;
}

/** Returns when the service has begun to send the answer. */
async function holdAnswer(): Promise<Socket> {
  const socket = send(toHead(`GET ${PATH}`));
  await once(socket, 'readable');
  expect(String(socket.read(12))).toBe('HTTP/1.1 200');
  return socket;
}

async function statusOf(path: string, init?: RequestInit): Promise<number> {
  const answer = await service.send(path, init);
  await answer.arrayBuffer();
  return answer.status;
}

/** After these answers, all earlier requests have arrived. */
async function settled(): Promise<void> {
  for (let sent = 0; sent < 3; sent++) await statusOf('/v1/log', OTHER);
}

const soon = { timeout: 20_000 };
const statusOfLong = () => statusOf(PATH);
const statusOfLog = () => statusOf('/v1/log');

async function countRefused(bound: string): Promise<number> {
  const text = await (await fetch(`${service.base}/metrics`)).text();
  return Number(new RegExp(`requests_refused_total\\{bound="${bound}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
}

describe('long unread answers', () => {
  it('block further long answers with 429 until the caller of the unread ones leaves', async () => {
    const etag = (await service.send(PATH, { method: 'HEAD' })).headers.get('etag') ?? '';
    await holdAnswer();
    const refused = await service.send(PATH);
    expect([refused.status, refused.headers.get('etag')]).toEqual([429, null]);
    const { error } = await refused.json();
    expect(error.message).toMatch(
      /this project .* 1048576 bytes for all unread responses together \(MAX_PROJECT_ANSWER_BYTES\)/,
    );
    expect(await countRefused('MAX_PROJECT_ANSWER_BYTES')).toBe(1);
    // Answers without a body are still sent.
    expect(await statusOf(PATH, { method: 'HEAD' })).toBe(200);
    expect(await statusOf(PATH, { headers: { 'if-none-match': etag } })).toBe(304);
    expect(await statusOf(PATH, OTHER)).toBe(404);
    expect(await statusOfLog()).toBe(200);
    leave();
    await expect.poll(statusOfLong, soon).toBe(200);
  });

  it('count as 4 MiB if they contain a CAR, and do not count if they are the bytes of a content', async () => {
    const { cid } = await (await service.upload(new Uint8Array(16 * 2 ** 20))).json();
    const path = `/v1/resource/${cid}/content`;
    const car = `${path}?format=car`;
    await once(send(toHead(`GET ${path}`)), 'readable');
    await once(send(toHead(`GET ${car}`)), 'readable');
    const refused = await service.send(car);
    expect([refused.status, refused.headers.get('etag')]).toEqual([429, null]);
    expect((await refused.json()).error.message).toMatch(/takes 4194304 bytes .*MAX_PROJECT_ANSWER_BYTES/);
    expect(await statusOf(car, { method: 'HEAD' })).toBe(200);
    expect(await statusOf(path)).toBe(200);
    leave();
    await expect.poll(() => statusOf(car), soon).toBe(200);
  });

  it('block no answer to a recording, only later requests', async () => {
    const body = JSON.stringify({ actions: MANY });
    const headers = ['content-type: application/json', `content-length: ${body.length}`];
    // The answer to the batch waits behind an unread answer.
    const socket = await holdAnswer();
    socket.write(toHead('POST /v1/batch', headers) + body);
    const post = () => statusOf('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
    await expect.poll(post, soon).toBe(429);
    expect(await statusOfLog()).toBe(200);
    expect(socket.destroyed).toBe(false);
    leave();
    await expect.poll(post, soon).toBe(200);
    expect(await statusOfLong()).toBe(200);
  });

  it('block the long answer of a search too, because a search changes nothing', async () => {
    const inputCids = Array.from({ length: 10 }, (_, place) => cidOf(`made ${place}`));
    const file = 'a text whose history is long';
    const recorded = await service.upload(file, {
      entity: { id: 'studio:ann', role: 'human' },
      action: { inputCids },
    });
    expect(recorded.status).toBe(201);
    const search = async () => {
      const body = new FormData();
      body.set('file', new Blob([file], { type: 'text/plain' }));
      return statusOf('/v1/search/file?include=bundle', { method: 'POST', body });
    };
    expect(await search()).toBe(200);
    await holdAnswer();
    expect(await search()).toBe(429);
    leave();
    await expect.poll(search, soon).toBe(200);
  });

  it('are aborted: a caller that stops reading is disconnected', async () => {
    const socket = await holdAnswer();
    expect(await statusOfLong()).toBe(429);
    await expect.poll(statusOfLong, soon).toBe(200);
    expect(socket.destroyed).toBe(false);
  });
});

describe('running requests', () => {
  it('are limited for their project', async () => {
    const headers = ['content-type: application/json', 'content-length: 100'];
    for (let open = 0; open < 4; open++) send(`${toHead('POST /v1/entity', headers)}{`);
    await settled();
    expect(await statusOfLog()).toBe(429);
    const { error } = await (await service.send('/v1/log')).json();
    expect(error.message).toContain('MAX_PROJECT_REQUESTS');
    expect(await statusOf('/v1/log', OTHER)).toBe(200);
    expect(await countRefused('MAX_PROJECT_REQUESTS')).toBeGreaterThanOrEqual(2);
    leave();
    await expect.poll(statusOfLog).toBe(200);
  });

  it('are counted until their connection closes, also if they wait behind other requests on it', async () => {
    const socket = await holdAnswer();
    socket.write(toHead('GET /v1/log').repeat(4));
    await settled();
    expect(await statusOfLog()).toBe(429);
    leave();
    await expect.poll(statusOfLog).toBe(200);
  });
});

describe('long answers without a key', () => {
  const COPIES = 200;
  const DOCUMENTS = ['/openapi.json', '/docs/json', '/docs/yaml'];
  /** A connection refers to at most four pieces of the shared bytes. */
  const HELD_BYTES = COPIES * 4 * 65_536;
  let open: Service;
  let accepted: Socket[];

  const start = async (environment: Record<string, string>) => {
    open = await startService(ANY_ENGINE, { environment });
    accepted = [];
    open.context.app.server.on('connection', (socket) => accepted.push(socket));
  };
  const toRequest = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
  const hold = (path: string, times = 1) => send(toRequest(path).repeat(times), open);
  const ask = (path: string, init?: RequestInit) => fetch(open.base + path, init);
  const metricOf = async (bound: string) =>
    (await (await ask('/metrics')).text()).match(
      new RegExp(`refused_total\\{bound="${bound}"\\} (\\d+)`),
    )?.[1];
  afterEach(async () => {
    leave();
    await open.stop();
  });

  it.each(DOCUMENTS)('%s: 200 connections that read nothing share one copy', async (path) => {
    await start({ MAX_PROJECT_ANSWER_BYTES: String(2 ** 40) });
    const sizeBytes = (await (await ask(path, { headers: { 'accept-encoding': 'identity' } })).arrayBuffer())
      .byteLength;
    expect(sizeBytes).toBeGreaterThan(400_000);
    // More bytes than the operating system can buffer.
    const times = Math.ceil(12e6 / sizeBytes);
    const { arrayBuffers: bytesBefore } = process.memoryUsage();
    const sent = Array.from({ length: COPIES }, () => hold(path, times));
    await Promise.all(sent.map((socket) => once(socket, 'readable')));
    await ask('/healthz');
    const heldBytes = accepted.reduce((sum, socket) => sum + socket.writableLength, 0);
    expect(heldBytes).toBeLessThan(HELD_BYTES);
    expect(process.memoryUsage().arrayBuffers - bytesBefore).toBeLessThan(COPIES * 100_000);
  });

  it('count by address: a further long answer gets 429, but not a short one or one with a key', async () => {
    await start({ MAX_PROJECT_ANSWER_BYTES: String(2 ** 20) });
    const identity = { headers: { 'accept-encoding': 'identity' } };
    await (await ask('/openapi.json', identity)).arrayBuffer();
    const socket = hold('/openapi.json');
    const statusOf = async (path: string) => {
      const answer = await ask(path, identity);
      const text = await answer.text();
      return answer.status === 429 ? JSON.parse(text).error.message : answer.status;
    };
    const statusBehindMore = (path: string) => () => {
      socket.write(toRequest('/openapi.json'));
      return statusOf(path);
    };
    const refusal =
      /this address .* 1048576 bytes for all unread responses together \(MAX_PROJECT_ANSWER_BYTES\)/;
    for (const path of ['/openapi.json', '/docs/json'])
      await expect.poll(statusBehindMore(path), soon).toMatch(refusal);
    expect(Number(await metricOf('MAX_PROJECT_ANSWER_BYTES'))).toBeGreaterThan(1);
    expect((await ask('/openapi.json')).status).toBe(200);
    expect((await ask('/llms.txt')).status).toBe(200);
    expect((await open.send('/v1/log')).status).toBe(200);
    leave();
    await expect.poll(() => statusOf('/openapi.json'), soon).toBe(200);
  });
});

it('a response that the operating system accepts at once still lets other requests run', async () => {
  const pieces = Array.from({ length: 40 }, () => Buffer.alloc(2 ** 16));
  let turns = 0;
  const count = () => {
    turns++;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);
  let sizeBytes = 0;
  for await (const piece of new LongAnswer(pieces, 0)) sizeBytes += piece.length;
  clearImmediate(turn);
  expect(sizeBytes).toBe(40 * 2 ** 16);
  expect(turns).toBeGreaterThanOrEqual(9);
});
