import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import { makeMovie, makeStillPicture } from './iso-files.js';
import { makeMoreFiles } from './more-media-files.js';

export interface MediaFile {
  name: string;
  mediaType: string;
  bytes: Buffer;
  /** Offset of bytes of the picture, sound or text, not of the container. */
  contentAt: number;
}

const EDGE_PIXELS = 48;
const SAMPLE = Buffer.from(
  Array.from({ length: 4096 }, (_, index) => (index * 73 + (index >> 8) * 31) & 0x7f),
);

/** The same files in every run. */
export async function makeMediaFiles(): Promise<MediaFile[]> {
  const pixels = { raw: { width: EDGE_PIXELS, height: EDGE_PIXELS, channels: 1 as const } };
  const picture = () => sharp(SAMPLE.subarray(0, EDGE_PIXELS ** 2), pixels);
  const jpeg = await picture().jpeg().toBuffer();
  const png = await picture().png().toBuffer();
  const webp = await picture().webp().toBuffer();
  const avif = await picture().avif().toBuffer();
  const pdf = await makePdf();
  return [
    { name: 'JPEG', mediaType: 'image/jpeg', bytes: jpeg, contentAt: jpeg.length - 200 },
    { name: 'PNG', mediaType: 'image/png', bytes: png, contentAt: png.indexOf('IDAT') + 60 },
    holdingSample('HEIC', 'image/heic', makeStillPicture('heic', SAMPLE)),
    holdingSample('HEIF', 'image/heif', makeStillPicture('mif1', SAMPLE)),
    { name: 'AVIF', mediaType: 'image/avif', bytes: avif, contentAt: avif.length - 100 },
    { name: 'WebP', mediaType: 'image/webp', bytes: webp, contentAt: webp.length - 100 },
    holdingSample('MP4', 'video/mp4', makeMovie('isom', 'video', SAMPLE)),
    holdingSample('MOV', 'video/quicktime', makeMovie('qt  ', 'video', SAMPLE)),
    makeMp3(),
    holdingSample('M4A', 'audio/mp4', makeMovie('M4A ', 'sound', SAMPLE)),
    { name: 'PDF', mediaType: 'application/pdf', bytes: pdf, contentAt: pdf.indexOf('stream\n') + 9 },
    ...(await makeMoreFiles(SAMPLE, EDGE_PIXELS)),
  ];
}

function holdingSample(name: string, mediaType: string, bytes: Buffer): MediaFile {
  return { name, mediaType, bytes, contentAt: bytes.length - SAMPLE.length / 2 };
}

/** MPEG-1 layer III, 128 kbit/s at 44.1 kHz, 417 bytes each. */
function makeMp3(): MediaFile {
  const frame = Buffer.alloc(417);
  SAMPLE.copy(frame, 4);
  frame.writeUInt32BE(0xfffb9064);
  const bytes = Buffer.concat(Array.from({ length: 12 }, () => frame));
  return { name: 'MP3', mediaType: 'audio/mpeg', bytes, contentAt: bytes.length - 100 };
}

/** With `objectStreams`, the cross-references are a stream, and otherwise a table. */
export async function makePdf({ objectStreams = false, attachment = false } = {}): Promise<Buffer> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Helvetica);
  document.addPage([200, 100]).drawText('A page of the tests', { x: 10, y: 50, size: 12, font });
  if (attachment) await document.attach(Buffer.from('a note'), 'note.txt', { mimeType: 'text/plain' });
  return Buffer.from(await document.save({ useObjectStreams: objectStreams }));
}

/** Changes one bit in the content of `file`. `within` contains this content. */
export function flipContent(file: MediaFile, within: Buffer = file.bytes): Buffer {
  const around = file.bytes.subarray(file.contentAt - 8, file.contentAt + 24);
  const at = within.lastIndexOf(around);
  if (at === -1) throw new Error(`the bytes do not contain the content of the ${file.name} file`);
  const changed = Buffer.from(within);
  changed[at + 8] = (changed[at + 8] ?? 0) ^ 1;
  return changed;
}

const SHARED = fileURLToPath(new URL('../../../../../shared/fixtures/c2pa/', import.meta.url));

export const HAS_REAL_FILES = existsSync(SHARED);

/** Real files without a manifest. */
export const REAL_UNSIGNED: readonly [name: string, mediaType: string][] = [
  ['P1000827.jpg', 'image/jpeg'],
  ['sample1.png', 'image/png'],
  ['sample1.heic', 'image/heic'],
  ['sample1.heif', 'image/heif'],
  ['sample1.avif', 'image/avif'],
  ['sample1.webp', 'image/webp'],
  ['video1_no_manifest.mp4', 'video/mp4'],
  ['c.mov', 'video/quicktime'],
  ['sample1.mp3', 'audio/mpeg'],
  ['sample1.m4a', 'audio/mp4'],
  ['basic.pdf', 'application/pdf'],
  ['basic-attachments.pdf', 'application/pdf'],
  ['basic-signed.pdf', 'application/pdf'],
];

/** `name` is, for example, `signed/adobe-20220124-CA.jpg`. */
export function realFile(name: string): string {
  return `${SHARED}${name}`;
}

export function readFixture(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
}
