import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startProcess } from '../support/process.js';
import { jsonPost, KEY } from '../support/service.js';

it('a shutdown answers running requests, disconnects slow clients, and leaves no temporary or lock file', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-end-'));
  const service = await startProcess({ DATA_DIR: directory });
  const slow = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port) });
  slow.on('error', () => {});
  slow.write(
    `POST /v1/activity HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\n` +
      'content-type: multipart/form-data; boundary=b\r\ncontent-length: 1000000\r\n\r\n' +
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
  );
  const dribble = setInterval(() => slow.write('x'.repeat(4000)), 100);
  await sleep(300);
  // The service refuses new connections, so some requests fail without a response.
  const underWay = Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => service.send('/v1/entity', jsonPost({ id: `e${n}`, role: 'ai' }))),
  );
  await sleep(20);
  const started = Date.now();
  expect(await service.stop()).toBe(0);
  expect(Date.now() - started).toBeLessThan(20_000);
  clearInterval(dribble);
  const answered = (await underWay).filter((one) => one.status === 'fulfilled');
  expect(answered.length).toBeGreaterThan(0);
  for (const { value } of answered) expect([200, 201]).toContain(value.status);
  expect(readdirSync(path.join(directory, 'blobs', 'tmp'))).toEqual([]);
  expect(readdirSync(directory).filter((name) => name.startsWith('lock'))).toEqual([]);
  rmSync(directory, { recursive: true });
});
