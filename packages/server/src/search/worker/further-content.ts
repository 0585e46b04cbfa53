export const ANIMATION = 'The service adds no watermark to animations.';
export const PAGES = 'The service adds no watermark to files of several pages.';
const ATTACHED =
  'The file has content after its picture, such as a gain map or a video. A marked copy would lose it.';
const MORE_TAGS =
  'The TIFF file has tags, such as a description or EXIF data, that a marked copy would lose.';
const OTHER_COLOURS =
  'The AVIF file has other colours than sRGB without a colour profile. A marked copy would change them.';

/** Returns a reason if a new encoding would lose content other than the pixels, or change colours. */
export function findFurtherContent(bytes: Uint8Array, format: string | undefined): string | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (format === 'png' && isAnimatedPng(file)) return ANIMATION;
  if (format === 'jpeg' && hasAttachment(file)) return ATTACHED;
  if (format === 'tiff' && hasOtherTags(file)) return MORE_TAGS;
  if (format === 'heif') return findLossOfAvif(file);
  return undefined;
}

/** The chunk `acTL` of an animation comes before the pixels (PNG 3rd edition §11.3.6.1). */
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
 * Whether a JPEG file has a list of further pictures (MPF, CIPA DC-007 §5.1), or bytes other than zeros after its end
 * marker (ITU-T T.81 §B.2.1).
 */
function hasAttachment(file: Buffer): boolean {
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff; at += 2 + file.readUInt16BE(at + 2)) {
    if (file[at + 1] === APP2 && file.toString('latin1', at + 4, at + 8) === 'MPF\0') return true;
    if (file[at + 1] !== START_OF_SCAN) continue;
    // The coded pixels never contain the end marker, but a segment between two scans can. The result is then true.
    const end = file.indexOf(END_OF_IMAGE, at);
    return end !== -1 && file.subarray(end + END_OF_IMAGE.length).some((byte) => byte !== 0);
  }
  return false;
}

/**
 * Tags of TIFF 6.0 that describe the stored pixels, that the encoder copies, or that the copy may lose (program, date,
 * page number).
 */
const TIFF_TAGS = [
  [254, 259],
  [262, 266],
  [273, 284],
  [296, 297],
  [305, 306],
  [317, 317],
  [320, 325],
  [338, 339],
  [347, 347],
  [512, 532],
  [700, 700],
  [34675, 34675],
] as const;

/** Whether the first directory (TIFF 6.0 §2) has tags other than `TIFF_TAGS`. Also true for an unreadable directory. */
function hasOtherTags(file: Buffer): boolean {
  const isLittle = file[0] === 0x49;
  const short = (at: number) => (isLittle ? file.readUInt16LE(at) : file.readUInt16BE(at));
  const start = isLittle ? file.readUInt32LE(4) : file.readUInt32BE(4);
  if (short(2) !== 42 || start + 2 > file.length) return true;
  const end = start + 2 + 12 * short(start);
  if (end > file.length) return true;
  for (let at = start + 2; at < end; at += 12) {
    const tag = short(at);
    if (!TIFF_TAGS.some(([first, last]) => tag >= first && tag <= last)) return true;
  }
  return false;
}

/** Colour primaries and transfer functions (ITU-T H.273 §8) of sRGB, and the unspecified ones. */
const SRGB = { primaries: [1, 2], transfers: [1, 2, 6, 13] };

/**
 * Reads the box `meta` (ISO/IEC 14496-12 §8.11.1). The encoder writes neither gain maps (`tmap`) nor depth pictures,
 * and keeps colours other than sRGB only with a colour profile.
 */
function findLossOfAvif(file: Buffer): string | undefined {
  const meta = findBox(file, 'meta');
  if (meta === undefined || file.toString('latin1', 8, file.readUInt32BE(0)).includes('avis'))
    return ANIMATION;
  if (meta.includes('tmap') || meta.includes('auxiliary:depth')) return ATTACHED;
  const at = meta.indexOf('colrnclx');
  if (at === -1 || at + 12 > meta.length || /colr(?:prof|rICC)/.test(meta.toString('latin1')))
    return undefined;
  const [primaries, transfer] = [meta.readUInt16BE(at + 8), meta.readUInt16BE(at + 10)];
  return SRGB.primaries.includes(primaries) && SRGB.transfers.includes(transfer) ? undefined : OTHER_COLOURS;
}

/** Returns a box of the outermost level; undefined if it follows a box of more than 4 GiB. */
function findBox(file: Buffer, name: string): Buffer | undefined {
  for (let at = 0; at + 8 <= file.length; ) {
    const size = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === name)
      return file.subarray(at, size === 0 ? undefined : at + size);
    if (size < 8) return undefined;
    at += size;
  }
  return undefined;
}
