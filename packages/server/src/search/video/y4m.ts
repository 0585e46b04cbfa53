/** The header of a YUV4MPEG2 stream. */
export interface FrameHeader {
  width: number;
  height: number;
  rate: number;
  /** Width of a pixel divided by its height; 1 if it is unknown. */
  pixelAspect: number;
  /** Whether each frame combines lines from two points in time. */
  isInterlaced: boolean;
  /** For example, `420mpeg2` or `mono`. */
  pixels: string;
  sizeBytes: number;
}

const FRAME = 'FRAME\n';
const MAX_HEADER_BYTES = 256;

export function readFrameHeader(bytes: Uint8Array): FrameHeader | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_HEADER_BYTES));
  const end = text.indexOf('\n');
  const [format, ...words] = text.toString('latin1', 0, Math.max(0, end)).split(' ');
  if (format !== 'YUV4MPEG2') return undefined;
  const wordOf = (name: string) => words.find((word) => word.startsWith(name))?.slice(1) ?? '';
  const [width, height] = [Number(wordOf('W')), Number(wordOf('H'))];
  if (!(width > 0 && height > 0)) return undefined;
  return {
    width,
    height,
    rate: toRatio(wordOf('F')) || 0,
    pixelAspect: toRatio(wordOf('A')) || 1,
    isInterlaced: ['t', 'b', 'm'].includes(wordOf('I')),
    pixels: wordOf('C'),
    sizeBytes: end + 1,
  };
}

function toRatio(text: string): number {
  const [above, below] = text.split(':').map(Number);
  return (above ?? 0) / (below ?? 1);
}

/** Requires one byte for each pixel (`mono`). */
export function* splitFrames(
  bytes: Uint8Array,
  { width, height, sizeBytes }: FrameHeader,
): Generator<Uint8Array> {
  const step = FRAME.length + width * height;
  for (let at = sizeBytes; at + step <= bytes.length; at += step)
    yield bytes.subarray(at + FRAME.length, at + step);
}

export function countFrames(bytes: Uint8Array, { width, height, sizeBytes }: FrameHeader): number {
  return Math.floor((bytes.length - sizeBytes) / (FRAME.length + width * height));
}

export function toYuv(
  brightness: Uint8Array,
  { width, height }: Pick<FrameHeader, 'width' | 'height'>,
): Uint8Array {
  const colourBytes = 2 * Math.ceil(width / 2) * Math.ceil(height / 2);
  const frame = new Uint8Array(brightness.length + colourBytes).fill(128);
  frame.set(brightness);
  return frame;
}
