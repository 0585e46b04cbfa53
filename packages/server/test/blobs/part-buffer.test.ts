import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { createPartBuffer, type PartBuffer } from '../../src/blobs/s3/part-buffer.js';

const CAPACITY = 100;
const IN_MEMORY = 10;
const listFiles = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`colophon-part-${process.pid}-`));

describe('the buffer of a part', () => {
  let buffer: PartBuffer;
  afterEach(async () => {
    expect(listFiles()).toEqual([]);
    await buffer.close();
  });

  it.each([
    ['in memory', 7],
    ['in a file', 30],
  ])('returns the bytes that it holds %s, and is empty afterwards', async (_, size) => {
    buffer = createPartBuffer(CAPACITY, IN_MEMORY);
    for (const round of [1, 2]) {
      const bytes = Buffer.from(Array.from({ length: size }, (_, place) => place * round));
      for (let at = 0; at < size; at += 4) await buffer.append(bytes.subarray(at, at + 4));
      expect(buffer.sizeBytes()).toBe(size);
      expect(await buffer.take()).toEqual(bytes);
      expect(buffer.sizeBytes()).toBe(0);
    }
  });

  it('returns the bytes that do not fit', async () => {
    buffer = createPartBuffer(CAPACITY, IN_MEMORY);
    expect(await buffer.append(Buffer.alloc(CAPACITY - 1))).toHaveLength(0);
    expect(await buffer.append(Buffer.from('abc'))).toEqual(Buffer.from('bc'));
    expect((await buffer.take()).subarray(-1)).toEqual(Buffer.from('a'));
  });
});
