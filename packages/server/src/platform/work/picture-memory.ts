export interface PictureShape {
  width: number;
  height: number;
  channels: number;
  sampleBytes: number;
  /** Whether the decoder reads line by line, without the complete picture in memory. */
  isStreamed: boolean;
}

/** Number of lines in memory while a picture is decoded line by line. */
const STREAMED_LINES = 512;

/** Estimates the memory in bytes. */
export function memoryToDecode({ width, height, channels, sampleBytes, isStreamed }: PictureShape): number {
  return width * (isStreamed ? Math.min(height, STREAMED_LINES) : height) * channels * sampleBytes;
}

interface Metadata {
  format?: string | undefined;
  width?: number | undefined;
  height?: number | undefined;
  channels?: number | undefined;
  depth?: string | undefined;
  isProgressive?: boolean | undefined;
}

const SAMPLE_BYTES: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };
/** Factor for decoders that also store another form of each sample, for example the coefficients of a JPEG. */
const SAMPLES_KEPT: Readonly<Record<string, number>> = { jpeg: 2, gif: 2, heif: 2 };

export function toShape({ format = '', width = 0, height = 0, ...more }: Metadata): PictureShape {
  const { channels = 4, depth = '', isProgressive = false } = more;
  const isStreamed = (format === 'png' || format === 'jpeg') && !isProgressive;
  const kept = isStreamed ? 1 : (SAMPLES_KEPT[format] ?? 1);
  return { width, height, channels, sampleBytes: (SAMPLE_BYTES[depth] ?? 8) * kept, isStreamed };
}

/** Reads the header of a PNG or JPEG file. Undefined for other formats and unreadable headers. */
export function readShape(head: Uint8Array): PictureShape | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.length > 32 && bytes.toString('latin1', 1, 4) === 'PNG') return readPng(bytes);
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? readJpeg(bytes) : undefined;
}

/** PNG §11.2.2 (IHDR): bytes 24 and 28 are the bit depth and the interlace method. Assumes four channels. */
function readPng(bytes: Buffer): PictureShape {
  return {
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    channels: 4,
    sampleBytes: bytes[24] === 16 ? 2 : 1,
    isStreamed: bytes[28] === 0,
  };
}

/** ITU-T T.81 §B.2.2: reads the first frame header. */
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
