import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { makePicture } from '../../../../bench/support/pictures.mjs';
import type { Described } from '../../src/search/descriptor.js';
import { dot } from '../../src/search/vector.js';
import { describeHeif, describeImage } from '../../src/search/worker/describe-image.js';
import { makeStillPicture } from '../support/iso-files.js';

const HEIC = readFileSync(new URL('../fixtures/heic/picture-3.heic', import.meta.url));

async function describeOrThrow(description: ReturnType<typeof describeHeif>): Promise<Described> {
  const found = await description;
  if (found.kind === 'nothing') throw new Error(found.reason);
  return found.described;
}

/** Declares a size in pixels (image spatial extents, ISO/IEC 23008-12 §6.5.3). */
function declaring(width: number, height: number): Buffer {
  const bytes = Buffer.from(HEIC);
  const at = bytes.indexOf('ispe') + 8;
  bytes.writeUInt32BE(width, at);
  bytes.writeUInt32BE(height, at + 4);
  return bytes;
}

describe('the description of a HEIC picture', () => {
  let original: Described;
  beforeAll(async () => {
    original = await describeOrThrow(describeImage(await makePicture(3)));
  });

  it('is near that of the same picture as PNG', async () => {
    const described = await describeOrThrow(describeHeif(HEIC));
    expect(described.method).toBe(original.method);
    expect(dot(described.vector, original.vector)).toBeGreaterThan(0.95);
  });

  it.each<[string, Buffer, RegExp]>([
    ['a file that is cut short', HEIC.subarray(0, HEIC.length / 2), /damaged or cut short/],
    [
      'a file whose pixels are no HEVC',
      makeStillPicture('heic', Buffer.alloc(4096, 7)),
      /damaged or cut short/,
    ],
    ['bytes that are no HEIC at all', Buffer.alloc(400, 1), /damaged or cut short/],
    ['a file that declares 50,000 x 50,000 pixels', declaring(50_000, 50_000), /64 million pixels|damaged/],
  ])('is absent for %s, with the reason', async (_name, bytes, reason) => {
    expect(await describeHeif(bytes)).toEqual({ kind: 'nothing', reason: expect.stringMatching(reason) });
  });
});
