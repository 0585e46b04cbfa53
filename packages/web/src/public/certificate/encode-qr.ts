/** Versions 1 to 6 of ISO/IEC 18004 at error correction level M (table 9). Bytes are for each block. */
const VERSIONS = [
  { ecBytes: 10, blocks: 1, dataBytes: 16 },
  { ecBytes: 16, blocks: 1, dataBytes: 28 },
  { ecBytes: 26, blocks: 1, dataBytes: 44 },
  { ecBytes: 18, blocks: 2, dataBytes: 32 },
  { ecBytes: 24, blocks: 2, dataBytes: 43 },
  { ecBytes: 16, blocks: 4, dataBytes: 27 },
] as const;
/** 4 bits for the mode, 8 for the length. The 4 bits of the terminator fill the last byte. */
const FRAME_BITS = 12;
const BYTE_MODE = 4;
const PADS = [0xec, 0x11];

/** `codewords` has the order of the standard. */
export interface QrCodewords {
  version: number;
  codewords: Uint8Array;
}

/** Encodes a text as UTF-8. Undefined for a text of more than 106 bytes. */
export function toCodewords(text: string): QrCodewords | undefined {
  const bytes = new TextEncoder().encode(text);
  const at = VERSIONS.findIndex((one) => bytes.length * 8 + FRAME_BITS <= one.blocks * one.dataBytes * 8);
  const terms = VERSIONS[at];
  if (terms === undefined) return undefined;
  const data = frame(bytes, terms.blocks * terms.dataBytes);
  const blocks = Array.from({ length: terms.blocks }, (_, index) =>
    data.subarray(index * terms.dataBytes, (index + 1) * terms.dataBytes),
  );
  const corrections = blocks.map((block) => toErrorCorrection(block, terms.ecBytes));
  return { version: at + 1, codewords: Uint8Array.from([...interleave(blocks), ...interleave(corrections)]) };
}

/** Adds the mode and the length before the bytes, and fills the rest (§7.4.5, §7.4.10). */
function frame(bytes: Uint8Array, sizeBytes: number): Uint8Array {
  const framed = new Uint8Array(sizeBytes);
  const nibbles = [BYTE_MODE, bytes.length >> 4, bytes.length & 15];
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15);
  nibbles.push(0);
  const used = Math.ceil(nibbles.length / 2);
  for (let at = 0; at < sizeBytes; at++) {
    const both = ((nibbles[2 * at] ?? 0) << 4) | (nibbles[2 * at + 1] ?? 0);
    framed[at] = at < used ? both : (PADS[(at - used) % 2] ?? 0);
  }
  return framed;
}

/** The first byte of each block, then the second, and so on (§7.6). All blocks have the same length. */
function interleave(blocks: readonly Uint8Array[]): number[] {
  const length = blocks[0]?.length ?? 0;
  return Array.from({ length }, (_, at) => blocks.map((block) => block[at] ?? 0)).flat();
}

/** Returns the remainder of the block's polynomial (annex A). */
export function toErrorCorrection(block: Uint8Array, ecBytes: number): Uint8Array {
  const divisor = divisorOf(ecBytes);
  const rest = new Uint8Array(ecBytes);
  for (const byte of block) {
    const factor = byte ^ (rest[0] ?? 0);
    rest.copyWithin(0, 1);
    rest[ecBytes - 1] = 0;
    for (const [at, term] of divisor.entries()) rest[at] = (rest[at] ?? 0) ^ multiply(term, factor);
  }
  return rest;
}

/** The product of (x - 2^i) for i below the degree, without its first term, which is 1. */
function divisorOf(degree: number): Uint8Array {
  const terms = new Uint8Array(degree);
  terms[degree - 1] = 1;
  for (let step = 0, root = 1; step < degree; step++, root = multiply(root, 2)) {
    for (let at = 0; at < degree; at++) terms[at] = multiply(terms[at] ?? 0, root) ^ (terms[at + 1] ?? 0);
  }
  return terms;
}

/** Multiplies in GF(256) modulo x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(left: number, right: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((right >> bit) & 1) product ^= left;
  }
  return product;
}
