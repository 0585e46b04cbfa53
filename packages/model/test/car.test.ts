import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCar } from '../src/car.js';
import { createContentHasher } from '../src/content-hasher.js';

const MIB = 1_048_576;

function bytesOf(sizeBytes: number): Buffer {
  return Buffer.alloc(sizeBytes, 'any bytes that repeat after a while ');
}

function cidOf(bytes: Uint8Array): string {
  const hasher = createContentHasher();
  hasher.update(bytes);
  return hasher.finish().cid;
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

describe('createCar', () => {
  it('writes the exact header and block of one leaf (CARv1)', async () => {
    const car = await collect(
      createCar([Buffer.from('hello world')], 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'),
    );
    const cid = '01551220b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9';
    expect(car.toString('hex')).toBe(
      `3aa265726f6f747381d82a582500${cid}6776657273696f6e01` +
        `2f${cid}${Buffer.from('hello world').toString('hex')}`,
    );
  });

  it.each([0, 1, MIB, MIB + 1, 3 * MIB + 5])(
    'contains the same blocks for any chunking of %i bytes',
    async (size) => {
      const bytes = bytesOf(size);
      const cut = Array.from({ length: Math.ceil(size / 70_001) }, (_, index) =>
        bytes.subarray(index * 70_001, (index + 1) * 70_001),
      );
      const whole = await collect(createCar([bytes], cidOf(bytes)));
      expect((await collect(createCar(cut, cidOf(bytes)))).equals(whole)).toBe(true);
      const digestLeaf = async (leaf: Uint8Array) => createHash('sha256').update(leaf).digest();
      const createSha256 = () => createHash('sha256');
      const other = await collect(createCar(cut, cidOf(bytes), { digestLeaf, createSha256 }));
      expect(other.equals(whole)).toBe(true);
    },
  );

  it.each([1, MIB, 2 * MIB + 1])(
    'throws RangeError before the last block if the last of %i bytes does not match the CID',
    async (size) => {
      const bytes = bytesOf(size);
      const cid = cidOf(bytes);
      const wholeBytes = (await collect(createCar([bytes], cid))).length;
      bytes[size - 1] = 0;
      let sent = 0;
      const run = async () => {
        for await (const piece of createCar([bytes], cid)) sent += piece.length;
      };
      await expect(run()).rejects.toThrow(RangeError);
      expect(sent).toBeLessThan(wholeBytes);
    },
  );

  it('throws RangeError for truncated content', async () => {
    const bytes = bytesOf(2 * MIB);
    const cid = cidOf(bytes);
    await expect(collect(createCar([bytes.subarray(0, MIB)], cid))).rejects.toThrow(RangeError);
  });
});
