import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeLargePicture } from '../../../../bench/support/large-pictures.mjs';
import { ALTERATIONS, makePicture } from '../../../../bench/support/pictures.mjs';
import { checkCandidates } from '../../src/search/check-candidates.js';
import type { Described } from '../../src/search/descriptor.js';
import { toRaster, turnRaster } from '../../src/search/image/raster.js';
import { dot, signsOf } from '../../src/search/vector.js';
import { describeImage } from '../../src/search/worker/describe-image.js';

const EDGE = 256;

function paint(grey: (x: number, y: number) => number) {
  const rgb = new Uint8Array(EDGE * EDGE * 3);
  for (let at = 0; at < EDGE * EDGE; at++) {
    rgb.fill(grey(at % EDGE, Math.floor(at / EDGE)), at * 3, at * 3 + 3);
  }
  return { edge: EDGE, rgb };
}

async function describePicture(picture: Uint8Array): Promise<Described> {
  const description = await describeImage(picture);
  if (description.kind === 'nothing') throw new Error(description.reason);
  return description.described;
}

function agreement(asked: Described, stored: Described) {
  const cosines = asked.turned.map((vector) => dot(vector, stored.vector));
  const turn = cosines.indexOf(Math.max(...cosines));
  const candidate = { cid: 'c', type: 'image', turn, cosine: cosines[turn] ?? 0, evidence: stored.evidence };
  return checkCandidates({
    kind: 'check',
    method: asked.method,
    evidence: asked.evidence,
    candidates: [candidate],
  })[0];
}

describe('a raster', () => {
  it('leaves out a plain white border', () => {
    const ramp = (x: number, y: number) => 40 + ((x * 3 + y * 5) % 180);
    const bordered = paint((x, y) => {
      const isBorder = x < 20 || y < 20 || x >= EDGE - 20 || y >= EDGE - 20;
      return isBorder ? 255 : ramp(x - 20, y - 20);
    });
    const raster = toRaster(bordered);
    expect(Math.max(...(raster?.luma ?? []))).toBeLessThan(225);
  });

  it('is undefined for a picture of one colour', () => {
    expect(toRaster(paint(() => 128))).toBeUndefined();
  });

  it('is the same after two half turns', () => {
    const raster = toRaster(paint((x, y) => (x * y) % 255));
    if (raster === undefined) throw new Error('no raster');
    const [, , , around] = turnRaster(raster);
    if (around === undefined) throw new Error('no turn');
    expect(turnRaster(around)[3]).toEqual(raster);
    expect(around).not.toEqual(raster);
  });
});

describe('the description of a picture', () => {
  let original: Buffer;
  let described: Described;
  beforeAll(async () => {
    original = await makePicture(0);
    described = await describePicture(original);
  });

  it('has a unit vector of 512 numbers for each of the 8 flips and quarter turns of the picture', () => {
    expect(described.turned).toHaveLength(8);
    for (const vector of described.turned) {
      expect(vector).toHaveLength(512);
      expect(dot(vector, vector)).toBeCloseTo(1, 4);
    }
    expect(described.vector).toEqual(described.turned[0]);
    expect(signsOf(described.vector)).toMatch(/^[01]{512}$/);
    expect(described.evidence).toHaveLength(64 * 64);
  });

  it.each(Object.entries(ALTERATIONS))(
    'matches the description of an altered copy: %s',
    async (_name, alter) => {
      const found = agreement(await describePicture(await alter(original)), described);
      expect(found?.cosine).toBeGreaterThan(0.4);
      expect(found?.agreement).toBeGreaterThan(0.52);
    },
  );

  it('does not match other pictures', async () => {
    for (const number of [1, 2, 3, 4, 5, 6, 7, 14]) {
      const other = agreement(await describePicture(await makePicture(number)), described);
      expect([number, (other?.agreement ?? 1) < 0.7], String(other?.agreement)).toEqual([number, true]);
    }
  });

  it.each<[string, (picture: Sharp) => Sharp]>([
    ['CMYK', (picture) => picture.toColourspace('cmyk').jpeg({ quality: 95 })],
    ['16 bits a channel', (picture) => picture.toColourspace('rgb16').png()],
    ['a palette', (picture) => picture.png({ palette: true })],
    ['transparency', (picture) => picture.ensureAlpha(1).webp()],
    ['TIFF', (picture) => picture.tiff()],
  ])('stays similar after an encoding with %s', async (_name, encode) => {
    const copy = await describePicture(await encode(sharp(original)).toBuffer());
    expect(dot(copy.vector, described.vector)).toBeGreaterThan(0.9);
  });

  it('of an animation: is near the description of its first frame', async () => {
    const frames = [original, await makePicture(1)];
    const moving = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    expect((await sharp(moving, { pages: -1 }).metadata()).pages).toBe(2);
    expect(dot((await describePicture(moving)).vector, described.vector)).toBeGreaterThan(0.9);
  });

  it('applies the EXIF orientation', async () => {
    const turned = await sharp(original).rotate(90).withMetadata({ orientation: 8 }).png().toBuffer();
    expect(dot((await describePicture(turned)).vector, described.vector)).toBeGreaterThan(0.98);
  });

  it('is absent for a PNG that declares more than 100 million pixels, without decoding them', async () => {
    const bomb = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    bomb.writeUInt32BE(50_000, 16);
    bomb.writeUInt32BE(50_000, 20);
    const { crc32 } = await import('node:zlib');
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    const startedMs = performance.now();
    expect(await describeImage(bomb)).toEqual({
      kind: 'nothing',
      reason: 'The picture declares more than 100 million pixels.',
    });
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  it.each<[string, (blank: Sharp) => Sharp, (file: Buffer) => void]>([
    [
      'JPEG',
      (blank) => blank.jpeg(),
      (file) => file.writeUInt32BE(0xc350c350, file.indexOf(Buffer.from([0xff, 0xc0])) + 5),
    ],
    [
      'AVIF',
      (blank) => blank.avif(),
      (file) => {
        for (const at of [8, 12]) file.writeUInt32BE(50_000, file.indexOf('ispe') + at);
      },
    ],
  ])('is absent for a %s file that declares 50,000 x 50,000 pixels', async (_name, encode, declare) => {
    const create = { width: 8, height: 8, channels: 3, background: 'red' } as const;
    const bomb = await encode(sharp({ create })).toBuffer();
    declare(bomb);
    expect(await describeImage(bomb)).toMatchObject({
      reason: 'The picture declares more than 100 million pixels.',
    });
  });

  it('is absent if the decoder needs the whole picture in memory and this exceeds the limit', async () => {
    const blank = { width: 9_990, height: 9_990, channels: 3, background: 'red' } as const;
    const small = sharp({ create: { ...blank, width: 8, height: 8 } }).toColourspace('rgb16');
    const { crc32 } = await import('node:zlib');
    const enlarge = (file: Buffer) => {
      file.writeUInt32BE(blank.width, 16);
      file.writeUInt32BE(blank.height, 20);
      file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
      return file;
    };
    const interlaced = enlarge(await small.clone().png({ progressive: true }).toBuffer());
    expect(await describeImage(interlaced, 2 ** 28)).toEqual({
      kind: 'nothing',
      reason: `Decoding the picture takes ${9_990 ** 2 * 3 * 2} bytes of memory; MAX_PICTURE_BYTES allows 268435456.`,
      isPassing: true,
    });
    const byLines = enlarge(await small.clone().png().toBuffer());
    expect(await describeImage(byLines, 2 ** 28)).toMatchObject({
      reason: expect.stringContaining('cut short'),
    });
  });

  it('is absent for a truncated or empty file, and for an SVG, even behind the start of a GIF', async () => {
    const text = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>');
    const drawing = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><circle cx="30" cy="40" r="20"/></svg>',
    );
    const disguised = Buffer.concat([Buffer.from('GIF'), drawing]);
    const cut = [original.subarray(0, 5_000), original.subarray(0, 40), Buffer.alloc(0)];
    for (const bytes of [...cut, text, disguised]) {
      expect((await describeImage(bytes)).kind).toBe('nothing');
    }
  });
});

it('the benchmark makes the same large picture for the same number, even in concurrent calls', async () => {
  const pictures = await Promise.all(Array.from({ length: 8 }, () => makeLargePicture(3, [160, 120])));
  const [first] = pictures;
  expect(pictures.filter(({ data }) => first?.data.equals(data))).toHaveLength(8);
});
