import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createVerifyRange } from '../../src/blobs/s3/verify-range.js';

const CHUNK = Buffer.alloc(2 ** 16, 'x');
const CHUNKS = 64;
const contentDigest = `sha256:${createHash('sha256')
  .update(Buffer.alloc(CHUNK.length * CHUNKS, 'x'))
  .digest('hex')}`;
const range = { start: 0, end: 0 };

function openContent() {
  const opened = {
    read: 0,
    async *[Symbol.asyncIterator]() {
      for (; opened.read < CHUNKS; opened.read++) yield CHUNK;
    },
  };
  return opened;
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of bytes) size += chunk.length;
  return size;
}

describe('ranges of content that must be verified', () => {
  it('a single reader does not pause', async () => {
    const verifyRange = createVerifyRange(() => Promise.reject(new Error('paused')));
    const reading = verifyRange({ projectId: 'a', contentDigest, range, whole: openContent() });
    expect(await readAll(reading)).toBe(1);
  });

  it('readers pause after every 256 KiB outside of their ranges, one at a time', async () => {
    const pauses: (() => void)[] = [];
    const verifyRange = createVerifyRange(() => new Promise((resolve) => pauses.push(resolve)));
    const contents = ['a', 'b', 'c'].map((projectId) => ({ projectId, whole: openContent() }));
    const sizes = contents.map((one) => readAll(verifyRange({ ...one, contentDigest, range })));
    const chunksRead = () => contents.map(({ whole }) => whole.read);
    await expect.poll(chunksRead).toEqual([4, 4, 4]);
    expect(pauses).toHaveLength(1);
    pauses[0]?.();
    await expect.poll(chunksRead).toEqual([8, 4, 4]);
    expect(pauses).toHaveLength(2);
    const endPauses = setInterval(() => {
      for (const end of pauses.splice(0)) end();
    }, 1);
    expect(await Promise.all(sizes)).toEqual([1, 1, 1]);
    clearInterval(endPauses);
  });
});
