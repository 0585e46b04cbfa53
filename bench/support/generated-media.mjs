import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';

const sharp = createRequire(new URL('../../packages/server/package.json', import.meta.url))('sharp');

/** Enlarged noise has as much detail as a photograph. */
export async function makePhoto({ width, height, quality }) {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 };
  const size = { width: Math.round(width / 4), height: Math.round(height / 4) };
  const grain = await sharp({ create: { ...size, channels: 3, background: 'gray', noise } })
    .png()
    .toBuffer();
  return sharp(grain).resize(width, height).jpeg({ quality }).toBuffer();
}

export function makeThumbnail(photo) {
  return sharp(photo).resize({ width: 512, height: 512, fit: 'inside' }).jpeg({ quality: 75 }).toBuffer();
}

/** Returns a film (ISO/IEC 14496-12) with one sample of `sizeBytes` of noise. */
export function makeFilm(sizeBytes) {
  const sample = randomBytes(sizeBytes);
  const type = box('ftyp', Buffer.from('isom'), words(0), Buffer.from('isomisommp42'));
  const movie = (offset) => box('moov', movieHeader(), track(sample.length, offset));
  return Buffer.concat([type, movie(type.length + movie(0).length + 8), box('mdat', sample)]);
}

function box(type, ...contents) {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

const fullBox = (type, ...contents) => box(type, words(0), ...contents);

function words(...values) {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
}

const MATRIX = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

function movieHeader() {
  const rest = words(0x1000000, 0, 0);
  return fullBox('mvhd', words(0, 0, 1000, 1000, 0x10000), rest, MATRIX, words(0, 0, 0, 0, 0, 0, 2));
}

function track(sampleBytes, offset) {
  const table = box(
    'stbl',
    fullBox('stsd', words(0)),
    fullBox('stts', words(1, 1, 1000)),
    fullBox('stsc', words(1, 1, 1, 1)),
    fullBox('stsz', words(0, 1, sampleBytes)),
    fullBox('stco', words(1, offset)),
  );
  const reference = box('dinf', fullBox('dref', words(1), fullBox('url ')));
  return box(
    'trak',
    fullBox('tkhd', words(0, 0, 1, 0, 1000, 0, 0, 0, 0), MATRIX, words(0, 0)),
    box(
      'mdia',
      fullBox('mdhd', words(0, 0, 1000, 1000, 0x55c40000)),
      fullBox('hdlr', words(0), Buffer.from('vide'), words(0, 0, 0), Buffer.from([0])),
      box('minf', fullBox('vmhd', words(0, 0)), reference, table),
    ),
  );
}
