import { type PictureShape, readShape, toShape } from '../platform/work/picture-memory.js';

/**
 * Reads a file from `start` up to and excluding `end`. Returns fewer bytes at its end; undefined when it is deleted.
 */
export type ReadPart = (start: number, end: number) => Promise<Uint8Array | undefined>;

/** The beginning of a picture usually contains its size. */
const HEAD_BYTES = 64 * 1024;

/** Reads the shape from the header, without decoding; undefined when the header is not found. */
export async function readPictureShape(readPart: ReadPart): Promise<PictureShape | undefined> {
  const head = await readPart(0, HEAD_BYTES);
  if (head === undefined) return undefined;
  const bytes = toBuffer(head);
  const known = readShape(bytes) ?? readWebp(bytes);
  if (known !== undefined) return known;
  return isTiff(bytes) ? readTiff(bytes, readPart) : readByLibrary(bytes);
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function readByLibrary(head: Buffer): Promise<PictureShape | undefined> {
  try {
    const { default: sharp } = await import('sharp');
    return toShape(await sharp(head, { failOn: 'none' }).metadata());
  } catch {
    return undefined; // the header is damaged, or longer than HEAD_BYTES
  }
}

/** Reads a WebP header (RFC 9649 §2.5 to §2.7). sharp cannot read the beginning of a WebP file. */
function readWebp(bytes: Buffer): PictureShape | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  const shape = { channels: 4, sampleBytes: 1, isStreamed: false };
  switch (bytes.toString('latin1', 8, 16)) {
    case 'WEBPVP8 ':
      return { ...shape, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'WEBPVP8L': {
      const sizes = bytes.readUInt32LE(21);
      return { ...shape, width: 1 + (sizes & 0x3fff), height: 1 + ((sizes >>> 14) & 0x3fff) };
    }
    case 'WEBPVP8X':
      return { ...shape, width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
    default:
      return undefined;
  }
}

const isTiff = (bytes: Buffer) => ['II*\0', 'MM\0*'].includes(bytes.toString('latin1', 0, 4));

/** TIFF 6.0 §2: a directory counts its entries in two bytes; an entry is a tag, a type, a count and a value. */
const COUNT_BYTES = 2;
const ENTRY_BYTES = 12;
const SHORT = 3;
const TAGS = { width: 256, height: 257, bits: 258, channels: 277 } as const;
/** A sample of unknown size counts as one of the largest size. */
const LARGEST_SAMPLE_BITS = 64;

/** Reads the first directory of a TIFF file, which is often at the end. */
async function readTiff(head: Buffer, readPart: ReadPart): Promise<PictureShape | undefined> {
  if (head.length < 8) return undefined;
  const isLittle = head[0] === 0x49;
  const start = isLittle ? head.readUInt32LE(4) : head.readUInt32BE(4);
  const part = await readPart(start, start + HEAD_BYTES);
  if (part === undefined || part.length < COUNT_BYTES) return undefined;
  const entry = readEntries(toBuffer(part), { start, isLittle });
  const [width, height] = [entry(TAGS.width), entry(TAGS.height)];
  if (width === undefined || height === undefined) return undefined;
  const sampleBytes = Math.ceil((entry(TAGS.bits) ?? LARGEST_SAMPLE_BITS) / 8);
  return { width, height, channels: entry(TAGS.channels) ?? 4, sampleBytes, isStreamed: false };
}

/** Reads the first value of each entry. If a tag is repeated, the largest value counts. */
function readEntries(directory: Buffer, { start, isLittle }: { start: number; isLittle: boolean }) {
  const short = (at: number) => (isLittle ? directory.readUInt16LE(at) : directory.readUInt16BE(at));
  const long = (at: number) => (isLittle ? directory.readUInt32LE(at) : directory.readUInt32BE(at));
  const fitting = Math.floor((directory.length - COUNT_BYTES) / ENTRY_BYTES);
  const values = new Map<number, number>();
  for (let entry = 0; entry < Math.min(short(0), fitting); entry++) {
    const at = COUNT_BYTES + entry * ENTRY_BYTES;
    const isShort = short(at + 2) === SHORT;
    const isHere = long(at + 4) <= (isShort ? 2 : 1);
    const valueAt = isHere ? at + 8 : long(at + 8) - start;
    if (valueAt < 0 || valueAt + 4 > directory.length) continue;
    const value = isShort ? short(valueAt) : long(valueAt);
    values.set(short(at), Math.max(value, values.get(short(at)) ?? 0));
  }
  return (tag: number) => values.get(tag);
}
