/** Only the CBOR types that the COSE messages of a log use. */
export type ParsedCbor = null | number | string | Uint8Array | ParsedCbor[] | CborMap;
/** The keys are unique. */
export type CborMap = Map<number | string, ParsedCbor>;

/** RFC 9052 §4.2. */
export interface CoseSign1 {
  /** The signature covers these bytes. */
  protectedBytes: Uint8Array;
  protectedHeader: CborMap;
  unprotectedHeader: CborMap;
  /** Null: detached. */
  payload: Uint8Array | null;
  signature: Uint8Array;
}

const COSE_SIGN1 = 0xd2;
/** Lists labels that the reader must understand (RFC 9052 §3.1). */
const CRITICAL = 2;
const NULL = 0xf6;
/** The outermost item has level 1. Null does not count. */
const MAX_LEVELS = 16;

/**
 * Parses a tagged COSE_Sign1 message. Undefined for any other bytes, for a label in both headers (RFC 9052 §3), and for
 * `crit`, because this parser supports no extension.
 */
export function parseCoseSign1(bytes: Uint8Array): CoseSign1 | undefined {
  const parts = bytes[0] === COSE_SIGN1 ? parseCbor(bytes.subarray(1)) : undefined;
  if (!Array.isArray(parts) || parts.length !== 4) return undefined;
  const [protectedBytes, unprotectedHeader, payload, signature] = parts;
  if (!(protectedBytes instanceof Uint8Array) || !(signature instanceof Uint8Array)) return undefined;
  const protectedHeader = parseCbor(protectedBytes);
  if (!(protectedHeader instanceof Map) || !(unprotectedHeader instanceof Map)) return undefined;
  const isUnclear = [...unprotectedHeader.keys()].some((label) => protectedHeader.has(label));
  if (isUnclear || protectedHeader.has(CRITICAL) || unprotectedHeader.has(CRITICAL)) return undefined;
  if (payload !== null && !(payload instanceof Uint8Array)) return undefined;
  return { protectedBytes, protectedHeader, unprotectedHeader, payload, signature };
}

/**
 * Parses one item of CBOR: an integer, a byte or text string, an array, a map or null. Never throws. Returns undefined
 * for bytes after the item, and when the bytes contain:
 *
 * - an item of any other type
 * - an argument that is not in its shortest form, or an indefinite length
 * - an integer outside the safe range, or a text that is not UTF-8
 * - a repeated key, or a key that is neither an integer nor a text
 * - more than 16 levels of nesting
 */
export function parseCbor(bytes: Uint8Array): ParsedCbor | undefined {
  const cursor = { bytes, at: 0 };
  const value = readItem(cursor, 1);
  return cursor.at === bytes.length ? value : undefined;
}

interface Cursor {
  bytes: Uint8Array;
  at: number;
}

function readItem(cursor: Cursor, level: number): ParsedCbor | undefined {
  const first = cursor.bytes[cursor.at] ?? 0xff;
  if (first === NULL) {
    cursor.at++;
    return null;
  }
  const argument = readArgument(cursor);
  if (argument === undefined || level > MAX_LEVELS) return undefined;
  const read = [
    () => argument,
    () => (Number.isSafeInteger(-1 - argument) ? -1 - argument : undefined),
    () => take(cursor, argument),
    () => toText(take(cursor, argument)),
    () => readArray(cursor, argument, level),
    () => readMap(cursor, argument, level),
  ][first >> 5];
  return read?.();
}

/** RFC 8949 §3 and §4.2.1. */
function readArgument(cursor: Cursor): number | undefined {
  const short = (cursor.bytes[cursor.at++] ?? 0xff) & 31;
  if (short < 24) return short;
  const sizeBytes = [1, 2, 4, 8][short - 24];
  const bytes = sizeBytes === undefined ? undefined : take(cursor, sizeBytes);
  if (sizeBytes === undefined || bytes === undefined) return undefined;
  const argument = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  const least = sizeBytes === 1 ? 24 : 2 ** (4 * sizeBytes);
  return Number.isSafeInteger(argument) && argument >= least ? argument : undefined;
}

function take(cursor: Cursor, sizeBytes: number): Uint8Array | undefined {
  const end = cursor.at + sizeBytes;
  if (end > cursor.bytes.length) return undefined;
  const taken = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  return taken;
}

function toText(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function readArray(cursor: Cursor, count: number, level: number): ParsedCbor[] | undefined {
  const items: ParsedCbor[] = [];
  while (items.length < count) {
    const item = readItem(cursor, level + 1);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function readMap(cursor: Cursor, count: number, level: number): CborMap | undefined {
  const map: CborMap = new Map();
  while (map.size < count) {
    const key = readItem(cursor, level + 1);
    const value = key === undefined ? undefined : readItem(cursor, level + 1);
    const isKey = typeof key === 'number' || typeof key === 'string';
    if (!isKey || value === undefined || map.has(key)) return undefined;
    map.set(key, value);
  }
  return map;
}
