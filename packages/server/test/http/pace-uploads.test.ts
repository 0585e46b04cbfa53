import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createUploadPace, type PacedUpload } from '../../src/access/upload-pace.js';
import type { App } from '../../src/http/app.js';
import { drainRefusedBodies } from '../../src/http/middleware/drain.js';
import { paceUploads } from '../../src/http/middleware/pace-uploads.js';
import { ANY_ENGINE, KEY, OTHER_KEY, type Service, startService } from '../support/service.js';

const MEBIBYTE = 2 ** 20;
const BURST_BYTES = 8 * MEBIBYTE;
/** Node may read these bytes before the first pause. */
const SLACK_BYTES = MEBIBYTE;

let service: Service;
const sockets = new Set<Socket>();

beforeAll(async () => {
  service = await startService(ANY_ENGINE, {
    environment: { PROJECT_UPLOAD_BYTES_PER_SECOND: String(MEBIBYTE), MAX_FORM_SECONDS: '3' },
    overrides: { pace: { intervalMs: 1_000, minBytes: 100 } },
  });
  service.context.app.server.on('connection', (socket: Socket) => sockets.add(socket));
});
afterAll(() => service.stop());

const mostRead = () => Math.max(...[...sockets].map(({ bytesRead }) => bytesRead));
const connectTo = ({ base }: Pick<Service, 'base'>) =>
  connect({ host: '127.0.0.1', port: Number(new URL(base).port) }).on('error', () => {});
const readAsOther = () => service.send('/v1/log', { headers: { authorization: `Bearer ${OTHER_KEY}` } });

it('reads a large upload at the maximum rate while another project has requests, and completes it', async () => {
  expect((await readAsOther()).status).toBe(200);
  const startedMs = performance.now();
  const upload = service.upload(new Uint8Array(24 * MEBIBYTE));
  while (mostRead() < BURST_BYTES + 3.5 * MEBIBYTE) {
    expect((await readAsOther()).status).toBe(200);
    const gainedBytes = ((performance.now() - startedMs) / 1000) * MEBIBYTE;
    expect(mostRead()).toBeLessThanOrEqual(BURST_BYTES + SLACK_BYTES + gainedBytes);
  }
  // The pauses alone took longer than MAX_FORM_SECONDS, which does not include them.
  expect((await upload).status).toBe(201);
}, 40_000);

it('408: the minimum rate of a body also holds while another project has requests', async () => {
  const socket = connectTo(service);
  let answer = '';
  let isOpen = true;
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('close', () => {
    isOpen = false;
  });
  expect((await readAsOther()).status).toBe(200);
  socket.write(
    `POST /v1/activity HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\n` +
      'content-type: multipart/form-data; boundary=b\r\ncontent-length: 300000\r\n\r\n--b\r\n',
  );
  while (isOpen) {
    expect((await readAsOther()).status).toBe(200);
    socket.write('x');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*"code":"Timeout"/);
  expect(answer).not.toContain('MAX_FORM_SECONDS');
}, 20_000);

it('reads the rest of a rejected body at the maximum rate, after its response', async () => {
  expect((await readAsOther()).status).toBe(200);
  sockets.clear();
  const body = new Uint8Array(11 * MEBIBYTE);
  const socket = connectTo(service);
  const answer = once(socket, 'data');
  socket.write(
    'POST /v1/activity HTTP/1.1\r\nhost: x\r\nauthorization: Bearer wrong\r\n' +
      `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  socket.write(body);
  const startedMs = performance.now();
  expect(String(await answer)).toMatch(/^HTTP\/1.1 401 /);
  while (mostRead() < body.length) {
    expect((await readAsOther()).status).toBe(200);
    expect(socket.destroyed).toBe(false);
    const gainedBytes = ((performance.now() - startedMs) / 1000) * MEBIBYTE;
    expect(mostRead()).toBeLessThanOrEqual(BURST_BYTES + SLACK_BYTES + gainedBytes);
  }
  socket.destroy();
}, 40_000);

describe('the upload of a sender that disconnects', () => {
  const uploads = new Set<PacedUpload>();
  const left = new EventEmitter();
  let base: string;
  const app = Fastify();
  const pace = createUploadPace(MEBIBYTE);
  let hasOtherOwners = false;
  let onRead: (id: string) => void = () => {};
  const begin = (id: string) => {
    const { end, ...upload } = pace.begin(id);
    const watched: PacedUpload = {
      ...upload,
      beforeRead(read) {
        onRead(id);
        upload.beforeRead(read);
      },
      end() {
        uploads.delete(watched);
        end();
      },
    };
    uploads.add(watched);
    return watched;
  };
  const head = (path: string) => `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${MEBIBYTE}\r\n\r\n`;

  beforeAll(async () => {
    drainRefusedBodies(app as unknown as App);
    app.addHook('onRequest', async (request) => {
      const { owner } = request.headers;
      if (typeof owner === 'string') Object.assign(request, { principal: { projectId: 'project', owner } });
    });
    const requests = { hasOthers: () => true, hasOtherOwners: () => hasOtherOwners };
    paceUploads(app as unknown as App, { requests, uploadPace: { begin } });
    app.post('/rejected', { onRequest: async (_, reply) => reply.code(401).send() }, async () => 'accepted');
    const waitUntilLeft = async ({ raw }: { raw: IncomingMessage }) => {
      await new Promise((resolve) => raw.once('close', resolve));
      setImmediate(() => left.emit('left'));
    };
    app.post('/slow', { onRequest: waitUntilLeft }, async () => 'accepted');
    base = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => app.close());

  it('ends if the sender disconnects after the response', async () => {
    const socket = connectTo({ base });
    socket.write(head('/rejected'));
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 401 /);
    expect(uploads.size).toBe(1);
    socket.destroy();
    await vi.waitFor(() => expect(uploads.size).toBe(0));
  });

  it('does not begin if the sender disconnects before the response', async () => {
    const socket = connectTo({ base });
    const hasLeft = once(left, 'left');
    socket.write(head('/slow'), () => setImmediate(() => socket.destroy()));
    await hasLeft;
    expect(uploads.size).toBe(0);
  });

  it('has the limit of its owner while other owners have requests, and otherwise that of its project', async () => {
    const read: string[] = [];
    onRead = (id) => read.push(id);
    for (hasOtherOwners of [false, true]) {
      const socket = connectTo({ base });
      socket.write(head('/rejected').replace('host: x', 'host: x\r\nowner: ann'));
      await once(socket, 'data');
      const reads = read.length;
      socket.write('x'.repeat(1_000));
      await vi.waitFor(() => expect(read.length).toBeGreaterThan(reads));
      socket.destroy();
    }
    expect(new Set(read)).toEqual(new Set(['project', 'owner ann']));
    expect(read[0]).toBe('project');
    await vi.waitFor(() => expect(uploads.size).toBe(0));
  });
});
