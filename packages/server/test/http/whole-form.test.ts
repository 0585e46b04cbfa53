import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createCollector, receiveBody } from '../../src/http/wire/receive-body.js';
import { receiveWhole } from '../../src/http/wire/whole-form.js';

const CHUNKS = ['first ', 'second ', 'last'].map((text) => Buffer.from(text));
const BODY = Buffer.concat(CHUNKS);
const SIZE_BYTES = 2 ** 18;
const refuse = () => new Error('too large');

function arrived(): Readable {
  const raw = new Readable({ read() {} });
  for (const chunk of [...CHUNKS, null]) raw.push(chunk);
  return raw;
}

describe('a completely received form', () => {
  it('goes unchanged to the next reader if the first one returns undefined', async () => {
    const raw = arrived();
    expect(await receiveWhole(raw, BODY.length, () => undefined)).toBeUndefined();
    const chunks: Buffer[] = [];
    for await (const chunk of raw) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(BODY);
  });

  it('is read in one piece', async () => {
    expect(await receiveWhole(arrived(), BODY.length, String)).toBe(String(BODY));
  });
});

describe('a collected body', () => {
  it.each([undefined, 5_000])('has all bytes in order when the announced length is %s', (announced) => {
    const whole = Buffer.from(Array.from({ length: 5_000 }, (_, at) => at % 251));
    const collector = createCollector(announced);
    for (let at = 0; at < whole.length; at += 7) collector.add(whole.subarray(at, at + 7));
    expect(collector.body()).toEqual(whole);
  });

  it('is the chunk itself if there is only one', () => {
    const chunk = Buffer.from('all');
    const collector = createCollector(chunk.length);
    expect(collector.add(chunk)).toBe(3);
    expect(collector.body().buffer).toBe(chunk.buffer);
  });

  it.each([
    ['form', (raw: Readable) => receiveWhole(raw, SIZE_BYTES, (body) => body.length)],
    [
      'body',
      (raw: Readable) => receiveBody(raw, { maxBytes: SIZE_BYTES, refuse }).then(({ length }) => length),
    ],
  ])('uses little memory if a %s arrives byte by byte', async (_, receive) => {
    const before = process.memoryUsage();
    const open = Array.from({ length: 4 }, () => {
      const raw = new Readable({ read() {} });
      return { raw, received: receive(raw) };
    });
    for (const { raw } of open)
      for (let sent = 1; sent < SIZE_BYTES; sent++) {
        raw.push(Buffer.alloc(1));
        if (sent % 1_000 === 0) await new Promise(setImmediate);
      }
    const { heapUsed, external } = process.memoryUsage();
    expect(heapUsed + external - before.heapUsed - before.external).toBeLessThan(64 * 2 ** 20);
    for (const { raw, received } of open) {
      raw.push(Buffer.alloc(1));
      raw.push(null);
      expect(await received).toBe(SIZE_BYTES);
    }
  });

  it('is rejected as soon as it exceeds its limit', async () => {
    const raw = arrived();
    await expect(receiveBody(raw, { maxBytes: 8, refuse })).rejects.toThrow('too large');
    expect(raw.listenerCount('data')).toBe(0);
  });
});
