import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { memoryToDecode, readShape, toShape } from '../src/platform/work/picture-memory.js';
import { readPictureShape } from '../src/search/picture-shape.js';

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
])(
  'the memory to decode %s is computed from its first bytes, and from the metadata of the library',
  async (_name, encoder, byHead, byLibrary) => {
    const bytes = await encoder.toBuffer();
    const shape = readShape(bytes);
    expect(shape && memoryToDecode(shape)).toBe(byHead);
    expect(memoryToDecode(toShape(await sharp(bytes).metadata()))).toBe(byLibrary);
  },
);

it('the first bytes of a WebP picture, a truncated JPEG and an empty file give no dimensions', async () => {
  expect(readShape(await picture.clone().webp().toBuffer())).toBeUndefined();
  expect(readShape(Buffer.from('ffd8ffe000', 'hex'))).toBeUndefined();
  expect(readShape(Buffer.alloc(0))).toBeUndefined();
});

const square = sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } });
const HEIC = new URL('fixtures/heic/picture-3.heic', import.meta.url);

it.each([
  ['a lossy WebP', square.clone().webp().toBuffer(), 4],
  ['a lossless WebP', square.clone().webp({ lossless: true }).toBuffer(), 4],
  ['a WebP with opacity', square.clone().ensureAlpha(0.5).webp().toBuffer(), 4],
  ['a GIF', square.clone().gif().toBuffer(), 4 * 2],
  ['an AVIF', square.clone().avif({ effort: 0 }).toBuffer(), 3 * 2],
  ['a TIFF whose directory is at its end', square.clone().tiff({ compression: 'none' }).toBuffer(), 3],
  ['a TIFF of 16 bits', square.clone().toColourspace('rgb16').tiff({ compression: 'none' }).toBuffer(), 6],
])(
  'the dimensions of %s are read from the bytes that declare them',
  async (_name, encoded, bytesPerPixel) => {
    const bytes = await encoded;
    const shape = await readPictureShape(async (start, end) => bytes.subarray(start, end));
    expect(shape && memoryToDecode(shape)).toBe(300 * 200 * bytesPerPixel);
  },
);

it('the dimensions of a HEIC picture are read, and a file without dimensions gives none', async () => {
  const of = (bytes: Buffer) => readPictureShape(async (start, end) => bytes.subarray(start, end));
  expect(await of((await readFile(HEIC)).subarray(0, 1_000))).toMatchObject({ width: 480, height: 360 });
  const webp = await square.clone().webp().toBuffer();
  const tiff = await square.clone().tiff().toBuffer();
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(100), webp.subarray(0, 20), tiff.subarray(0, 9)])
    expect(await of(bytes)).toBeUndefined();
});
