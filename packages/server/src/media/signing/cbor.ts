/** The items of CBOR (RFC 8949) that a COSE signature needs, in deterministic encoding (§4.2). */

const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5 } as const;

/** An item's head: its major type and its value or length, below 2^32. */
function head(major: number, value: number): Buffer {
  const type = major << 5;
  if (value < 24) return Buffer.from([type | value]);
  if (value < 0x100) return Buffer.from([type | 24, value]);
  if (value < 0x10000) return Buffer.from([type | 25, value >> 8, value & 0xff]);
  const long = Buffer.alloc(5);
  long[0] = type | 26;
  long.writeUInt32BE(value, 1);
  return long;
}

export const CBOR_NULL = Buffer.from([0xf6]);

export function cborInteger(value: number): Buffer {
  return value >= 0 ? head(MAJOR.unsigned, value) : head(MAJOR.negative, -1 - value);
}

export function cborBytes(bytes: Uint8Array): Buffer {
  return Buffer.concat([head(MAJOR.bytes, bytes.length), bytes]);
}

export function cborText(text: string): Buffer {
  const utf8 = Buffer.from(text);
  return Buffer.concat([head(MAJOR.text, utf8.length), utf8]);
}

/** An array of encoded items. */
export function cborArray(items: readonly Uint8Array[]): Buffer {
  return Buffer.concat([head(MAJOR.array, items.length), ...items]);
}

/** A map of encoded keys and values, in the order of the entries. */
export function cborMap(entries: readonly (readonly [key: Uint8Array, value: Uint8Array])[]): Buffer {
  return Buffer.concat([head(MAJOR.map, entries.length), ...entries.flat()]);
}

/** The item under a tag below 24. */
export function cborTag(tag: number, item: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([0xc0 | tag]), item]);
}
