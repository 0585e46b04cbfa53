/** The dimensions and the format of a picture, from its header. */
export interface PictureShape {
  width: number;
  height: number;
  channels: number;
  sampleBytes: number;
  /** Whether it is decoded line by line. */
  isStreamed: boolean;
}

/** Lines in memory while a picture is decoded line by line. */
const STREAMED_LINES = 512;

/** Estimates the memory to decode a picture, in bytes. */
export function memoryToDecode({ width, height, channels, sampleBytes, isStreamed }: PictureShape): number {
  return width * (isStreamed ? Math.min(height, STREAMED_LINES) : height) * channels * sampleBytes;
}

/** The used members of the picture library's metadata. */
interface Metadata {
  format?: string | undefined;
  width?: number | undefined;
  height?: number | undefined;
  channels?: number | undefined;
  depth?: string | undefined;
  isProgressive?: boolean | undefined;
}

const SAMPLE_BYTES: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };
/** Bytes per sample that the decoder stores: the coefficients of a progressive JPEG, or a copy in another form. */
const SAMPLES_KEPT: Readonly<Record<string, number>> = { jpeg: 2, gif: 2, heif: 2 };

/** Converts the metadata of the picture library. */
export function toShape({ format = '', width = 0, height = 0, ...more }: Metadata): PictureShape {
  const { channels = 4, depth = '', isProgressive = false } = more;
  const isStreamed = (format === 'png' || format === 'jpeg') && !isProgressive;
  const kept = isStreamed ? 1 : (SAMPLES_KEPT[format] ?? 1);
  return { width, height, channels, sampleBytes: (SAMPLE_BYTES[depth] ?? 8) * kept, isStreamed };
}

/** Reads the shape from the beginning of a file; undefined when the header is not of a simple kind. */
export function readShape(head: Uint8Array): PictureShape | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.length > 32 && bytes.toString('latin1', 1, 4) === 'PNG') return readPng(bytes);
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? readJpeg(bytes) : undefined;
}

/** PNG §11.2.2: width, height, bit depth, colour type and interlace method. */
function readPng(bytes: Buffer): PictureShape {
  return {
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    channels: 4,
    sampleBytes: bytes[24] === 16 ? 2 : 1,
    isStreamed: bytes[28] === 0,
  };
}

/** ITU-T T.81 §B.2.2: the frame header of the first frame. */
function readJpeg(bytes: Buffer): PictureShape | undefined {
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker < 0xc0 || marker > 0xcf || [0xc4, 0xc8, 0xcc].includes(marker)) continue;
    const isStreamed = marker === 0xc0 || marker === 0xc1;
    return {
      height: bytes.readUInt16BE(at + 5),
      width: bytes.readUInt16BE(at + 7),
      channels: bytes[at + 9] ?? 4,
      sampleBytes: isStreamed ? 1 : 2,
      isStreamed,
    };
  }
  return undefined;
}
