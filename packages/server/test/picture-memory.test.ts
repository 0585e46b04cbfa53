import sharp from 'sharp';
import { expect, it } from 'vitest';
import { memoryToDecode, readShape, toShape } from '../src/picture-memory.js';

const picture = sharp({ create: { width: 40, height: 1_000, channels: 3, background: 'red' } });

it.each([
  ['a PNG by lines', picture.clone().png(), 40 * 512 * 4, 40 * 512 * 3],
  [
    'an interlaced PNG as a whole',
    picture.clone().png({ progressive: true }),
    40 * 1_000 * 4,
    40 * 1_000 * 3,
  ],
  ['a JPEG by lines', picture.clone().jpeg(), 40 * 512 * 3, 40 * 512 * 3],
  [
    'a progressive JPEG as a whole',
    picture.clone().jpeg({ progressive: true }),
    40 * 1_000 * 6,
    40 * 1_000 * 6,
  ],
])('counts %s, by its first bytes and by the library', async (_name, encoder, byHead, byLibrary) => {
  const bytes = await encoder.toBuffer();
  const shape = readShape(bytes);
  expect(shape && memoryToDecode(shape)).toBe(byHead);
  expect(memoryToDecode(toShape(await sharp(bytes).metadata()))).toBe(byLibrary);
});

it('does not know the shape of other pictures by their first bytes', async () => {
  expect(readShape(await picture.clone().webp().toBuffer())).toBeUndefined();
  expect(readShape(Buffer.from('ffd8ffe000', 'hex'))).toBeUndefined();
  expect(readShape(Buffer.alloc(0))).toBeUndefined();
});
