export const ANIMATION = 'The service adds no watermark to animations.';
const ATTACHED =
  'The file has content after its picture, such as a gain map or a video. A marked copy would lose it.';

/** Returns a reason if a new encoding of a PNG or JPEG file would lose content beside its picture; else undefined. */
export function findFurtherContent(bytes: Uint8Array, format: string | undefined): string | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (format === 'png' && isAnimatedPng(file)) return ANIMATION;
  if (format === 'jpeg' && hasAttachment(file)) return ATTACHED;
  return undefined;
}

/**
 * Whether a PNG file is animated: the chunk `acTL` comes before the pixels (PNG 3rd edition §11.3.6.1). The decoder
 * reads only the first frame.
 */
function isAnimatedPng(file: Buffer): boolean {
  for (let at = 8; at + 8 <= file.length; at += 12 + file.readUInt32BE(at)) {
    const name = file.toString('latin1', at + 4, at + 8);
    if (name === 'acTL' || name === 'IDAT') return name === 'acTL';
  }
  return false;
}

const APP2 = 0xe2;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/**
 * Whether a JPEG file has a list of further pictures (MPF, CIPA DC-007 §5.1), or bytes after its end marker (ITU-T T.81
 * §B.2.1). Zeros at the end are padding.
 */
function hasAttachment(file: Buffer): boolean {
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff; at += 2 + file.readUInt16BE(at + 2)) {
    if (file[at + 1] === APP2 && file.toString('latin1', at + 4, at + 8) === 'MPF\0') return true;
    if (file[at + 1] !== START_OF_SCAN) continue;
    // In the coded pixels, 0xd9 never follows 0xff. So the first end marker is the end of this picture, if no segment
    // between two scans has these bytes. Such a segment leads to the result true.
    const end = file.indexOf(END_OF_IMAGE, at);
    return end !== -1 && file.subarray(end + END_OF_IMAGE.length).some((byte) => byte !== 0);
  }
  return false;
}
