import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN_CREATES, KEY, type Service, startService, toForm } from '../support/service.js';

const BOUNDARY = 'boundary';
const CONTENT = 'x'.repeat(5000);
const NAME = `sha256:${createHash('sha256').update(CONTENT).digest('hex')}`;

const JSON_PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="json"\r\n\r\n${JSON.stringify(ANN_CREATES)}\r\n`;
const FILE_HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
const END = `\r\n--${BOUNDARY}--\r\n`;

describe('an upload that breaks', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('PGlite in a directory', { environment: { MAX_UPLOAD_BYTES: '1000000' } });
  });
  afterAll(() => service.stop());

  /** Returns '' when the connection was closed without an answer. */
  async function sendRaw(body: string, headers: Record<string, string>, hangUp = false): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port) });
    const lines = { host: 'localhost', authorization: `Bearer ${KEY}`, connection: 'close', ...headers };
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /v1/activity HTTP/1.1\r\n${head.join('')}\r\n${body}`);
    if (hangUp) setTimeout(() => socket.destroy(), 100);
    else setTimeout(() => socket.end(), 2000);
    let answer = '';
    try {
      for await (const chunk of socket) answer += chunk;
    } catch {
      return answer;
    }
    return answer;
  }

  const multipart = `multipart/form-data; boundary=${BOUNDARY}`;

  const directory = () => {
    const { blobs } = service.config;
    if (blobs.kind !== 'dir') throw new Error('this test needs a directory');
    return blobs.directory;
  };

  /** The service deletes the draft when it notices that the sender has left. */
  const expectNoDraft = () =>
    expect.poll(() => readdirSync(path.join(directory(), 'tmp')), { timeout: 10_000 }).toEqual([]);

  async function expectNothingRecorded(): Promise<void> {
    expect((await service.send(`/v1/bundle/${NAME}`)).status).toBe(404);
    await expectNoDraft();
    // The folder `documents` has the service's own documents.
    expect(readdirSync(directory()).filter((name) => name !== 'documents')).toEqual(['tmp']);
  }

  it.each([
    ['the form has no end', JSON_PART + FILE_HEAD + CONTENT, multipart],
    ['the form ends inside the file', `${JSON_PART}${FILE_HEAD}${CONTENT}\r\n--bound`, multipart],
    [
      'the header names another boundary',
      JSON_PART + FILE_HEAD + CONTENT + END,
      'multipart/form-data; boundary=other',
    ],
    ['there is no boundary', JSON_PART + FILE_HEAD + CONTENT + END, 'multipart/form-data'],
    ['the body is not a form', CONTENT, multipart],
    ['a part has no header end', `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"`, multipart],
  ])('400, and nothing is recorded or left behind: %s', async (_, body, type) => {
    const answer = await sendRaw(body, { 'content-type': type, 'content-length': String(body.length) });
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toMatch(/"code":"(InvalidField|MissingField)"/);
    await expectNothingRecorded();
  });

  it.each([
    ['that is shorter than its Content-Length', { 'content-length': '900000' }, false],
    [
      'that is shorter than its Content-Length, from a client that disconnects',
      { 'content-length': '900000' },
      true,
    ],
    ['that is a little shorter than its Content-Length', { 'content-length': '6000' }, false],
    [
      'that is a little shorter than its Content-Length, from a client that disconnects',
      { 'content-length': '6000' },
      true,
    ],
  ])('nothing is recorded or left behind by a body %s', async (_, headers, hangUp) => {
    const body = JSON_PART + FILE_HEAD + CONTENT;
    await sendRaw(body, { 'content-type': multipart, ...headers }, hangUp);
    await expectNothingRecorded();
  });

  const typed = (json: string, type: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="json"\r\nContent-Type: ${type}\r\n\r\n${json}\r\n${FILE_HEAD}${CONTENT}${END}`;

  it.each([
    ['names a member twice', '{"entity":{"role":"human"},"entity":{"role":"ai"}}'],
    [
      'has a number that would be rounded',
      '{"entity":{"role":"human","metadata":{"n":12345678901234567890}}}',
    ],
    ['is not UTF-8', '{"entity":{"role":"human","name":"\xc3\xa4\xff"}}'],
  ])('400 or 422 for any media type, and nothing is recorded: the json part %s', async (_, json) => {
    for (const type of ['text/plain', 'application/json', 'application/json; charset=utf-8']) {
      const body = Buffer.from(typed(json, type), 'latin1');
      for (const streamed of [false, true]) {
        const answer = await service.send('/v1/activity', {
          method: 'POST',
          headers: { 'content-type': multipart },
          body: streamed ? new Blob([body]).stream() : body,
          ...(streamed ? { duplex: 'half' } : {}),
        });
        expect([400, 422]).toContain(answer.status);
      }
    }
    await expectNothingRecorded();
  });

  it('nothing is recorded or left behind by a chunked body that stops', async () => {
    const body = JSON_PART + FILE_HEAD + CONTENT;
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
    await sendRaw(chunk, { 'content-type': multipart, 'transfer-encoding': 'chunked' }, true);
    await expectNothingRecorded();
  });

  it.each([1_000_001, 5_000_000])('413: a file of %i bytes where a million is the limit', async (size) => {
    const answer = await service.upload('y'.repeat(size));
    expect(answer.status).toBe(413);
    expect((await answer.json()).error).toMatchObject({ code: 'PayloadTooLarge' });
    await expectNothingRecorded();
  });

  it('201: a file whose size is exactly the limit', async () => {
    expect((await service.upload('z'.repeat(1_000_000))).status).toBe(201);
  });

  it.each([
    ['a preamble and an epilogue', (text: string) => `preamble\r\n${text}epilogue`],
    ['headers in another order', (text: string) => text.replace(/(Content-D.*)\r\n/g, 'X-A: b\r\n$1\r\n')],
    ['names without quotes', (text: string) => text.replaceAll('name="json"', 'name=json')],
    ['a json part without a type', (text: string) => text.replace(/\r\nContent-Type: .*/, '')],
  ])('201: a form with %s', async (name, change) => {
    const json = JSON.stringify(ANN_CREATES);
    const body = change(typed(json, 'application/json').replace(CONTENT, `${CONTENT} ${name}`));
    const answer = await service.send('/v1/activity', {
      method: 'POST',
      body,
      headers: { 'content-type': multipart },
    });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ size: CONTENT.length + 1 + name.length });
  });

  it.each([
    [401, { authorization: 'Bearer wrong' }],
    [415, { 'content-type': 'application/octet-stream' }],
  ])('%i reaches a client that is still sending 48 MB', async (status, headers) => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        service.send('/v1/activity', { method: 'POST', body: Buffer.alloc(48_000_000), headers }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(status));
  });

  it('413 reaches a client that is still sending 48 MB', async () => {
    const form = toForm(Buffer.alloc(48_000_000), ANN_CREATES);
    const answer = await service.send('/v1/activity', { method: 'POST', body: form });
    expect(answer.status).toBe(413);
    await expectNoDraft();
  });

  it('413 or 400: a hundred thousand tiny parts, a huge part header, or a json part over its limit', async () => {
    const many =
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n`.repeat(100_000) + END;
    const header = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${'n'.repeat(200_000)}"\r\n\r\nx${END}`;
    const json = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="json"\r\n\r\n"${'j'.repeat(2_000_000)}"${END}`;
    for (const body of [many, header, json]) {
      const answer = await service.send('/v1/activity', {
        method: 'POST',
        body,
        headers: { 'content-type': multipart },
      });
      expect([400, 413]).toContain(answer.status);
      expect((await answer.json()).error.code).toMatch(/InvalidField|PayloadTooLarge|MissingField/);
    }
  });
});
