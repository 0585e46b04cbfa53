import { base32upper } from 'multiformats/bases/base32';

/** The kind of an ISCC unit: the first field of its header (ISO 24138 §5). */
export type IsccMainType = 'meta' | 'semantic' | 'content' | 'data' | 'instance';

/**
 * The medium of a Content-Code or Semantic-Code. The standard names five media and reserves the subtypes 5 to 7. Its
 * conformance vectors contain mixed codes whose inputs are Content-Codes with a reserved subtype.
 */
export type IsccMedium = (typeof MEDIA)[number];

/** A unit: one similarity hash or checksum with its kind. */
export interface IsccUnit {
  mainType: IsccMainType;
  /** Present for the main types `content` and `semantic`. */
  medium?: IsccMedium;
  /** 4 to 32 bytes, a multiple of 4. */
  digest: Uint8Array;
}

/** Error of the ISCC functions for invalid input, such as text that is not an ISCC. */
export class IsccError extends TypeError {
  override name = 'IsccError';
}

export const MAIN_TYPES: readonly IsccMainType[] = ['meta', 'semantic', 'content', 'data', 'instance'];
/** The index is the number of the subtype. */
export const MEDIA = [
  'text',
  'image',
  'audio',
  'video',
  'mixed',
  'reserved5',
  'reserved6',
  'reserved7',
] as const;

/** The main type of an ISCC-CODE, which has one header, and then the digests of several units. */
export const COMPOSITE = 5;

const PREFIX = 'ISCC:';
const MAX_DIGEST_BYTES = 32;
/** Four fields, each of four bits in version 0. */
const HEADER_BYTES = 2;

export interface IsccHeader {
  mainType: number;
  subType: number;
  version: number;
  length: number;
}

/** Returns the text of an ISCC, without padding. */
export function toIsccText(header: Omit<IsccHeader, 'version'>, body: Uint8Array): string {
  return `${PREFIX}${base32upper.encode(toIsccBytes(header, body)).slice(1)}`;
}

export function toIsccBytes(header: Omit<IsccHeader, 'version'>, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + body.length);
  bytes.set([(header.mainType << 4) | header.subType, header.length]);
  bytes.set(body, HEADER_BYTES);
  return bytes;
}

/** Accepts any letter case, with or without `ISCC:` and hyphens. Throws IsccError for other text. */
export function parseIsccText(text: string): { header: IsccHeader; body: Uint8Array } {
  const code = text
    .trim()
    .toUpperCase()
    .replace(/^ISCC:/, '')
    .replaceAll('-', '');
  return splitHeader(decodeBase32(code), text.slice(0, 80));
}

/** Throws IsccError unless the header has version 0. `name` stands for the bytes in the message of the error. */
export function splitHeader(bytes: Uint8Array, name: string): { header: IsccHeader; body: Uint8Array } {
  const [first = 0, second = 0] = bytes;
  if (bytes.length <= HEADER_BYTES || ((first | second) & 0x88) !== 0) {
    throw new IsccError(`\`${name}\` has no ISCC header of version 0`);
  }
  const header = { mainType: first >> 4, subType: first & 7, version: second >> 4, length: second & 7 };
  if (header.version !== 0) {
    throw new IsccError(`ISCC version ${header.version} is not supported. Send a code of version 0`);
  }
  return { header, body: bytes.subarray(HEADER_BYTES) };
}

/**
 * Returns the text of one unit, with the first `bits` bits of its digest. `bits` is a multiple of 32, up to 256. Throws
 * IsccError for another number of bits, and for a digest with fewer bits.
 *
 * @example
 * encodeIsccUnit({ mainType: 'content', medium: 'audio', digest: new Uint8Array(8) }, 64); // => 'ISCC:EIAQAAAAAAAAAAAA'
 */
export function encodeIsccUnit(unit: IsccUnit, bits = unit.digest.length * 8): string {
  const { header, body } = toHeaderAndBody(unit, bits);
  return toIsccText(header, body);
}

/** Throws IsccError for a length that the unit cannot have. */
export function toHeaderAndBody(unit: IsccUnit, bits: number) {
  const sizeBytes = bits / 8;
  if (bits % 32 !== 0 || bits < 32 || sizeBytes > Math.min(MAX_DIGEST_BYTES, unit.digest.length)) {
    const maxBits = Math.min(MAX_DIGEST_BYTES, unit.digest.length) * 8;
    throw new IsccError(`Cannot encode ${bits} bits. Pass a multiple of 32 from 32 to ${maxBits}`);
  }
  const header = {
    mainType: MAIN_TYPES.indexOf(unit.mainType),
    subType: unit.medium === undefined ? 0 : MEDIA.indexOf(unit.medium),
    length: bits / 32 - 1,
  };
  return { header, body: unit.digest.subarray(0, sizeBytes) };
}

function decodeBase32(code: string): Uint8Array {
  try {
    const bytes = base32upper.decode(`B${code}`);
    if (base32upper.encode(bytes) === `B${code}`) return bytes;
  } catch (cause) {
    throw new IsccError(`\`${code.slice(0, 80)}\` is not base32 text`, { cause });
  }
  throw new IsccError(`\`${code.slice(0, 80)}\` is not canonical base32 text`);
}
