import { crc32 } from 'node:zlib';
import sharp, { type JpegOptions, type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { WAVE_MARK } from '../../src/search/image-mark.js';
import { findFurtherContent } from '../../src/search/worker/further-content.js';
import { chooseImageMarks } from '../../src/search/worker/image-marks.js';
import { markImage } from '../../src/search/worker/mark-image.js';
import { readImageMark } from '../../src/search/worker/read-image-mark.js';
import { texturedPicture } from '../support/textured-picture.js';

const PAYLOAD = 0x0123_4567_89abn;
const MAX_BYTES = 256 * 2 ** 20;
const { marker, readers } = chooseImageMarks(undefined);
const mark = (bytes: Uint8Array, maxBytes = MAX_BYTES) =>
  markImage({ bytes, payload: PAYLOAD }, { maxBytes, marker });
const read = (bytes: Uint8Array) => readImageMark({ as: 'image', bytes }, { maxBytes: MAX_BYTES, readers });
const reading = (payload: bigint) => ({ kind: 'read', bindings: [WAVE_MARK.toBinding(payload)] });
const picture = await texturedPicture(1);

async function marked(bytes: Uint8Array): Promise<Uint8Array> {
  const answer = await mark(bytes);
  if (answer.kind === 'unmarked') throw new Error(answer.reason);
  return answer.bytes;
}

async function lowestPsnr(before: Uint8Array, after: Uint8Array): Promise<number> {
  const pixels = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer();
  const [one, two] = [await pixels(before), await pixels(after)];
  const squares = one.reduce((sum, value, at) => sum + (value - (two[at] ?? 0)) ** 2, 0);
  return 10 * Math.log10((255 ** 2 * one.length) / squares);
}

describe('a watermark in a file', () => {
  it.each<[string, (made: Sharp) => Sharp, object]>([
    ['JPEG', (made) => made.jpeg(), { format: 'jpeg', chromaSubsampling: '4:2:0' }],
    [
      'progressive JPEG without chroma subsampling',
      (made) => made.jpeg({ chromaSubsampling: '4:4:4', progressive: true }),
      { format: 'jpeg', chromaSubsampling: '4:4:4', isProgressive: true },
    ],
    ['grey JPEG', (made) => made.toColourspace('b-w').jpeg(), { format: 'jpeg', space: 'b-w', channels: 1 }],
    ['PNG', (made) => made.png(), { format: 'png', channels: 3, depth: 'uchar' }],
    ['PNG with opacity', (made) => made.ensureAlpha(0.7).png(), { format: 'png', channels: 4 }],
    ['PNG with a palette', (made) => made.png({ palette: true }), { format: 'png' }],
    ['WebP', (made) => made.webp(), { format: 'webp' }],
    ['lossless WebP', (made) => made.webp({ lossless: true }), { format: 'webp' }],
    ['AVIF', (made) => made.avif({ quality: 80, effort: 0 }), { format: 'heif', compression: 'av1' }],
    [
      'AVIF with opacity',
      (made) => made.ensureAlpha(0.7).avif({ effort: 0 }),
      { format: 'heif', channels: 4 },
    ],
    [
      'TIFF',
      (made) => made.tiff({ compression: 'lzw', xres: 10, yres: 10 }),
      { format: 'tiff', density: 254 },
    ],
    ['grey TIFF', (made) => made.toColourspace('b-w').tiff(), { format: 'tiff', channels: 1 }],
    [
      'TIFF with opacity',
      (made) => made.ensureAlpha(0.7).tiff({ compression: 'lzw' }),
      { format: 'tiff', channels: 4 },
    ],
  ])('%s: keeps the format, changes little, and is read back', async (_, make, shape) => {
    const bytes = await make(picture.clone()).toBuffer();
    const copy = await marked(bytes);
    expect(await sharp(copy).metadata()).toMatchObject({ ...shape, width: 480, height: 360 });
    expect(await lowestPsnr(bytes, copy)).toBeGreaterThan(36);
    expect(await read(copy)).toEqual(reading(PAYLOAD));
  });

  it('keeps the colour profile and XMP of a TIFF, and the EXIF data of an AVIF', async () => {
    const noted = picture.clone().withIccProfile('p3').withXmp(XMP);
    const tiff = await noted.clone().tiff({ compression: 'lzw' }).toBuffer();
    const { icc, xmp } = await sharp(await marked(tiff)).metadata();
    expect([icc, xmp?.toString()]).toEqual([(await sharp(tiff).metadata()).icc, XMP]);
    const avif = await noted
      .withExif({ IFD0: { Copyright: 'Ann Quill' } })
      .avif({ effort: 0 })
      .toBuffer();
    const copy = await sharp(await marked(avif)).metadata();
    expect([copy.icc, copy.exif?.includes('Ann Quill'), copy.xmp?.toString()]).toEqual([icc, true, XMP]);
  });

  it('survives another AVIF encoding after it was added to an AVIF', async () => {
    const bytes = await marked(await picture.clone().avif({ quality: 80, effort: 0 }).toBuffer());
    expect(await read(await sharp(bytes).avif({ quality: 60 }).toBuffer())).toEqual(reading(PAYLOAD));
  });

  it('keeps a lossless WebP lossless: the marked pixels equal those of a marked PNG', async () => {
    const [webp, png] = [picture.clone().webp({ lossless: true }), picture.clone().png()];
    const pixels = async (made: Sharp) =>
      sharp(await marked(await made.toBuffer()))
        .removeAlpha()
        .raw()
        .toBuffer();
    expect((await pixels(webp)).equals(await pixels(png))).toBe(true);
  });

  it('keeps the opacity, the colour profile and the EXIF data, and turns the picture upright', async () => {
    const bytes = await picture
      .clone()
      .ensureAlpha(0.5)
      .withIccProfile('p3')
      .withExif({ IFD0: { Copyright: 'Ann Quill' } })
      .png()
      .toBuffer();
    const turned = await sharp(bytes).withMetadata({ orientation: 6 }).png().toBuffer();
    const [before, after] = [await sharp(turned).metadata(), await sharp(await marked(turned)).metadata()];
    expect([after.width, after.height, after.orientation ?? 1]).toEqual([360, 480, 1]);
    expect(after.icc).toEqual(before.icc);
    expect(after.exif?.includes('Ann Quill')).toBe(true);
    const opacity = async (file: Uint8Array) => new Set(await sharp(file).extractChannel(3).raw().toBuffer());
    expect(await opacity(await marked(turned))).toEqual(await opacity(turned));
  });

  it.each<[string, (made: Sharp) => Sharp | Promise<Sharp>, RegExp]>([
    ['a picture of 16 bits', (made) => made.toColourspace('rgb16').png(), /8 bits/],
    ['a CMYK picture', (made) => made.toColourspace('cmyk').jpeg(), /cmyk/],
    ['a picture of 200 x 127 pixels', (made) => made.resize(200, 127).png(), /200 x 127 pixels.*needs 128/],
    [
      'a transparent picture',
      () => sharp({ create: { width: 300, height: 300, channels: 4, background: '#fff0' } }).png(),
      /too little/,
    ],
    ['an animation', (made) => animate(made), /animations/],
  ])('is not added to %s, and the answer states the reason', async (_, make, reason) => {
    const bytes = await (await make(picture.clone())).toBuffer();
    expect(await mark(bytes)).toEqual({ kind: 'unmarked', reason: expect.stringMatching(reason) });
  });

  it.each<[string, () => Promise<Buffer>, RegExp]>([
    ['an animated PNG', async () => addChunk(await picture.clone().png().toBuffer(), 'acTL'), /animations/],
    ['a JPEG with a list of further pictures', async () => addPictureList(await jpeg()), /content after/],
    [
      'a JPEG with a video',
      async () => Buffer.concat([await jpeg(), Buffer.from('a video')]),
      /content after/,
    ],
    [
      'a progressive JPEG with a video',
      async () => Buffer.concat([await jpeg({ progressive: true }), Buffer.from('a video')]),
      /content after/,
    ],
    ['a TIFF with a description', async () => addTag(await tiff(), 270), /tags.* lose/],
    ['a TIFF of two pages', async () => linkToItself(await tiff()), /several pages/],
    ['an AVIF with a gain map', async () => replaced(await avif(), 'pixi', 'tmap'), /content after/],
    ['an AVIF sequence', async () => replaced(await avif(), 'miaf', 'avis'), /animations/],
  ])('is not added to %s, because a copy would lose content', async (_, make, reason) => {
    expect(await mark(await make())).toEqual({ kind: 'unmarked', reason: expect.stringMatching(reason) });
  });

  it('is not added to an AVIF that states other colours than sRGB, unless the AVIF has a colour profile', () => {
    const withColours = (...colours: string[]) => {
      const meta = box('meta', Buffer.from(colours.join(''), 'latin1'));
      return findFurtherContent(Buffer.concat([box('ftyp', Buffer.from('avif\0\0\0\0')), meta]), 'heif');
    };
    const [srgb, wide, profile] = ['colrnclx\0\x01\0\x0d\0\x06', 'colrnclx\0\x09\0\x10\0\x09', 'colrprof'];
    expect(withColours(wide)).toMatch(/other colours than sRGB/);
    expect([withColours(srgb), withColours(wide, profile), withColours()]).toEqual(Array(3).fill(undefined));
  });

  it('is added to a PNG with an unknown chunk, and to a JPEG with zeros after its end', async () => {
    const png = addChunk(await picture.clone().png().toBuffer(), 'teSt');
    for (const bytes of [png, Buffer.concat([await jpeg(), Buffer.alloc(100)])])
      expect(await mark(bytes)).toMatchObject({ kind: 'marked' });
  });

  it('is not added to a file whose pixels exceed the memory limit, or to a damaged file', async () => {
    const bytes = await picture.clone().png().toBuffer();
    expect(await mark(bytes, 480 * 360 * 3)).toMatchObject({
      reason: expect.stringMatching(/MAX_PICTURE_BYTES/),
    });
    expect(await mark(bytes.subarray(0, 5_000))).toMatchObject({ kind: 'unmarked' });
  });

  it('is replaced by a second watermark', async () => {
    const bytes = await picture.clone().png().toBuffer();
    const first = await marked(bytes);
    const second = await markImage({ bytes: first, payload: 42n }, { maxBytes: MAX_BYTES, marker });
    if (second.kind !== 'marked') throw new Error(second.reason);
    expect(await read(second.bytes)).toEqual(reading(42n));
  });
});

const XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>';
const tiff = () => picture.clone().tiff({ compression: 'lzw' }).toBuffer();
const avif = () => picture.clone().avif({ effort: 0 }).toBuffer();

/** The copy of the directory at the end of the file has one more entry. */
function addTag(file: Buffer, tag: number): Buffer {
  const start = file.readUInt32LE(4);
  const count = file.readUInt16LE(start);
  const entry = Buffer.alloc(12);
  entry.writeUInt16LE(tag);
  entry.writeUInt16LE(2, 2);
  entry.writeUInt32LE(4, 4);
  entry.write('Map', 8);
  const entries = Array.from({ length: count }, (_, at) =>
    file.subarray(start + 2 + 12 * at, start + 14 + 12 * at),
  );
  const sorted = [...entries, entry].toSorted((a, b) => a.readUInt16LE() - b.readUInt16LE());
  const head = Buffer.alloc(2);
  head.writeUInt16LE(count + 1);
  const padded = file.length % 2 === 0 ? file : Buffer.concat([file, Buffer.alloc(1)]);
  const copy = Buffer.concat([padded, head, ...sorted, Buffer.alloc(4)]);
  copy.writeUInt32LE(padded.length, 4);
  return copy;
}

function linkToItself(file: Buffer): Buffer {
  const start = file.readUInt32LE(4);
  const end = start + 2 + 12 * file.readUInt16LE(start);
  const padded = file.length % 2 === 0 ? file : Buffer.concat([file, Buffer.alloc(1)]);
  const copy = Buffer.concat([padded, file.subarray(start, end), Buffer.alloc(4)]);
  copy.writeUInt32LE(padded.length, end);
  return copy;
}

function box(name: string, content: Buffer): Buffer {
  const head = Buffer.from(`\0\0\0\0${name}`);
  head.writeUInt32BE(head.length + content.length);
  return Buffer.concat([head, content]);
}

function replaced(file: Buffer, wanted: string, other: string): Buffer {
  const at = file.indexOf(wanted, 0, 'latin1');
  if (at === -1) throw new Error(`The file has no ${wanted}`);
  const copy = Buffer.from(file);
  copy.write(other, at, 'latin1');
  return copy;
}

const jpeg = (options: JpegOptions = {}) => picture.clone().jpeg(options).toBuffer();

/** The chunk is after the header. */
function addChunk(png: Buffer, name: string): Buffer {
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(name), Buffer.alloc(8, 1)]);
  length.writeUInt32BE(8);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([png.subarray(0, 33), length, body, crc, png.subarray(33)]);
}

/** CIPA DC-007. */
function addPictureList(bytes: Buffer): Buffer {
  const segment = Buffer.from('\xff\xe2\x00\x0aMPF\0list', 'latin1');
  return Buffer.concat([bytes.subarray(0, 2), segment, bytes.subarray(2)]);
}

async function animate(made: Sharp): Promise<Sharp> {
  const frame = await made.png().toBuffer();
  const negated = await sharp(frame).negate().png().toBuffer();
  return sharp([frame, negated], { join: { animated: true } }).webp();
}
