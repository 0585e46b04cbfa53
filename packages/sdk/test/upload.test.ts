import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANY_ENGINE, KEY, type Service, startService } from '../../server/test/support/service.js';
import { type Client, createClient, type UploadProgress } from '../src/index.js';

const PIECES = 200;
const PIECE = new Uint8Array(65_536);
const ANN = { entity: { role: 'human', name: 'Ann' } };

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await startService(ANY_ENGINE);
  client = createClient({ url: service.base, apiKey: KEY });
});
afterAll(() => service.stop());

it('the client sends a stream while it reads the stream, and reports its progress', async () => {
  const reports: UploadProgress[] = [];
  let furthestAhead = 0;
  async function* pieces() {
    for (let made = 1; made <= PIECES; made++) {
      furthestAhead = Math.max(furthestAhead, made * PIECE.length - (reports.at(-1)?.sentBytes ?? 0));
      yield PIECE.fill(made);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const onProgress = (progress: UploadProgress) => void reports.push(progress);
  const { size } = await client.file(pieces(), ANN, { onProgress });
  expect(size).toBe(PIECES * PIECE.length);
  expect(furthestAhead).toBeLessThan(4 * PIECE.length); // The client does not collect the stream.
  expect(reports.at(-1)).toEqual({ sentBytes: size, totalBytes: undefined });
  expect(reports.length).toBeGreaterThanOrEqual(PIECES);
});

it('an upload of a File with an unusual name reports the total size and keeps the bytes', async () => {
  const bytes = new TextEncoder().encode('photo '.repeat(30_000));
  const reports: UploadProgress[] = [];
  const file = new File([bytes], 'Änne "1"\r\n.txt', { type: 'text/plain' });
  const { cid } = await client.file(file, ANN, { onProgress: (progress) => void reports.push(progress) });
  expect(new Set(reports.map(({ totalBytes }) => totalBytes))).toEqual(new Set([bytes.length]));
  const stored = new Uint8Array(await (await client.resources.content(cid)).arrayBuffer());
  const digest = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
  expect(digest(stored)).toBe(digest(bytes));
  expect((await client.resources.get(cid)).title).toBe('Änne "1".txt');
});
