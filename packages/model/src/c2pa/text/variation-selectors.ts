import { rangeOf, type TextCarrier } from './text-carrier.js';

/** `C2PATextManifestWrapper` (C2PA 2.4 §A.8.2): `C2PATXT` and a zero byte, version 1, the length of the store. */
const MAGIC = Uint8Array.of(0x43, 0x32, 0x50, 0x41, 0x54, 0x58, 0x54, 0x00);
const VERSION = 1;
const HEADER_BYTES = 13;
/** U+FEFF in UTF-8, before the selectors. */
const MARKER = Uint8Array.of(0xef, 0xbb, 0xbf);
/** Bytes below 16 become U+FE00 to U+FE0F (3 bytes in UTF-8), others U+E0100 to U+E01EF (4 bytes). */
const SHORT_BYTES = 3;
const LONG_BYTES = 4;
const FIRST_LONG = 16;
const CODES_PER_TRAILER = 64;
/** Selectors of 3 and 4 bytes can fill every size of at least 6 bytes. */
const MIN_PADDING_BYTES = 6;
/** The type of the description box of a manifest store (ISO/IEC 19566-5 §A.3, C2PA 2.4 §11.1.4). */
const STORE_DESCRIPTION = Uint8Array.of(0x6a, 0x75, 0x6d, 0x64, 0x63, 0x32, 0x70, 0x61);
const CORRUPTED = 'manifest.text.corruptedWrapper';
/** A second wrapper is already a fault. */
const MAX_WRAPPERS = 2;
/** Selectors after the marker that count as the remains of a wrapper. */
const MIN_MARKED_REMAINS = 8;
/** The same number for selectors without the marker. Emoji and ideographs have at most one selector each. */
const MIN_REMAINS = 64;

/** Returns the size of the wrapper in UTF-8. It depends only on the size of the store. */
export function wrapperBytesOf(storeBytes: number): number {
  return MARKER.length + (HEADER_BYTES + storeBytes) * LONG_BYTES + MIN_PADDING_BYTES;
}

/** UTF-8, padded to `wrapperBytesOf`. Readers skip the padding. */
export function toWrapper(store: Uint8Array): Uint8Array {
  const wrapper = new Uint8Array(wrapperBytesOf(store.length));
  const header = new Uint8Array(HEADER_BYTES);
  header.set(MAGIC);
  header[MAGIC.length] = VERSION;
  new DataView(header.buffer).setUint32(MAGIC.length + 1, store.length);
  wrapper.set(MARKER);
  let at = MARKER.length;
  for (const part of [header, store]) for (const byte of part) at += writeSelector(wrapper, at, byte);
  // A 4-byte selector adds 1 to the length modulo 3, and a 3-byte selector adds 0.
  const longs = (wrapper.length - at) % SHORT_BYTES;
  while (at < wrapper.length - longs * LONG_BYTES) at += writeSelector(wrapper, at, 0);
  while (at < wrapper.length) at += writeSelector(wrapper, at, FIRST_LONG);
  return wrapper;
}

/** Returns the size in bytes. */
function writeSelector(target: Uint8Array, at: number, byte: number): number {
  if (byte < FIRST_LONG) {
    target.set([0xef, 0xb8, 0x80 + byte], at);
    return SHORT_BYTES;
  }
  const code = byte - FIRST_LONG;
  const [high, low] = [Math.floor(code / CODES_PER_TRAILER), code % CODES_PER_TRAILER];
  target.set([0xf3, 0xa0, 0x84 + high, 0x80 + low], at);
  return LONG_BYTES;
}

/**
 * Finds at most two wrappers. A damaged wrapper is a carrier with a fault. Other selectors, such as those of emoji, are
 * not carriers.
 */
export function findWrappers(text: Uint8Array): TextCarrier[] {
  return search(text, judgeRun, MAX_WRAPPERS);
}

/**
 * Finds the remains of a wrapper that `findWrappers` does not recognise. Only for a text without other carriers: other
 * programs also write long runs of selectors, and such a run next to a carrier is not a fault.
 */
export function findRemains(text: Uint8Array): TextCarrier | undefined {
  return search(text, judgeLength, 1)[0];
}

type Judge = (text: Uint8Array, at: number, run: Run) => TextCarrier | undefined;

function search(text: Uint8Array, judge: Judge, limit: number): TextCarrier[] {
  const found: TextCarrier[] = [];
  let at = 0;
  while (at < text.length && found.length < limit) {
    const lead = text[at];
    const width = lead === 0xef || lead === 0xf3 ? widthAt(text, at) : 0;
    if (width === 0) {
      at += 1;
      continue;
    }
    const run = readRun(text, at);
    const carrier = judge(text, at, run);
    if (carrier !== undefined) found.push(carrier);
    at = run.end;
  }
  return found;
}

interface Run {
  bytes: Uint8Array;
  end: number;
}

function judgeRun(text: Uint8Array, at: number, { bytes, end }: Run): TextCarrier | undefined {
  if (bytes.length < MAGIC.length) return undefined;
  const isMarked = isAfterMarker(text, at);
  const carrier = toCarrier(isMarked ? at - MARKER.length : at, end);
  const store = isMarked ? readStore(bytes) : undefined;
  if (store !== undefined) return { ...carrier, store };
  if (!holds(bytes, MAGIC) && !holds(bytes, STORE_DESCRIPTION)) return undefined;
  return { ...carrier, fault: CORRUPTED };
}

function judgeLength(text: Uint8Array, at: number, { bytes, end }: Run): TextCarrier | undefined {
  const isMarked = isAfterMarker(text, at);
  if (bytes.length < (isMarked ? MIN_MARKED_REMAINS : MIN_REMAINS)) return undefined;
  return { ...toCarrier(isMarked ? at - MARKER.length : at, end), fault: CORRUPTED };
}

function isAfterMarker(text: Uint8Array, at: number): boolean {
  return holdsAt(text, at - MARKER.length, MARKER);
}

function toCarrier(start: number, end: number): TextCarrier {
  const range = rangeOf(start, end);
  return { method: 'unstructured', inner: range, outer: range };
}

/** Returns undefined for another version, and for an empty or incomplete store. */
function readStore(bytes: Uint8Array): Uint8Array | undefined {
  if (!holdsAt(bytes, 0, MAGIC) || bytes[MAGIC.length] !== VERSION || bytes.length <= HEADER_BYTES)
    return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(MAGIC.length + 1);
  return length === 0 || HEADER_BYTES + length > bytes.length
    ? undefined
    : bytes.slice(HEADER_BYTES, HEADER_BYTES + length);
}

function readRun(text: Uint8Array, at: number): Run {
  let end = at;
  let count = 0;
  for (let width = widthAt(text, end); width > 0; width = widthAt(text, end)) {
    end += width;
    count += 1;
  }
  const bytes = new Uint8Array(count);
  for (let index = 0, from = at; index < count; index += 1) {
    const isShort = text[from] === 0xef;
    const [third = 0, fourth = 0] = [text[from + 2], text[from + 3]];
    bytes[index] = isShort ? third - 0x80 : FIRST_LONG + (third - 0x84) * CODES_PER_TRAILER + (fourth - 0x80);
    from += isShort ? SHORT_BYTES : LONG_BYTES;
  }
  return { bytes, end };
}

/** 0 when there is no selector. */
function widthAt(text: Uint8Array, at: number): number {
  const [lead, second, third = 0, fourth = 0] = [text[at], text[at + 1], text[at + 2], text[at + 3]];
  if (lead === 0xef) return second === 0xb8 && third >= 0x80 && third <= 0x8f ? SHORT_BYTES : 0;
  if (lead !== 0xf3 || second !== 0xa0 || fourth < 0x80 || fourth > 0xbf) return 0;
  const last = third === 0x87 ? 0xaf : 0xbf;
  return third >= 0x84 && third <= 0x87 && fourth <= last ? LONG_BYTES : 0;
}

function holds(bytes: Uint8Array, wanted: Uint8Array): boolean {
  const first = wanted[0] ?? 0;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1))
    if (holdsAt(bytes, at, wanted)) return true;
  return false;
}

function holdsAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  return at >= 0 && wanted.every((byte, index) => bytes[at + index] === byte);
}
