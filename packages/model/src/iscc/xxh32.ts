const PRIME_1 = 0x9e3779b1;
const PRIME_2 = 0x85ebca77;
const PRIME_3 = 0xc2b2ae3d;
const PRIME_4 = 0x27d4eb2f;
const PRIME_5 = 0x165667b1;
const STRIPE_BYTES = 16;

/** Seed 0, unsigned (xxHash specification, "XXH32 algorithm description"). */
export function xxh32(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const stripesEnd = bytes.length - (bytes.length % STRIPE_BYTES);
  let sum = (stripesEnd === 0 ? PRIME_5 : hashStripes(view, stripesEnd)) + bytes.length;
  let at = stripesEnd;
  for (; at + 4 <= bytes.length; at += 4) {
    sum = Math.imul(rotate(sum + Math.imul(view.getUint32(at, true), PRIME_3), 17), PRIME_4);
  }
  for (; at < bytes.length; at++)
    sum = Math.imul(rotate(sum + Math.imul(view.getUint8(at), PRIME_5), 11), PRIME_1);
  return avalanche(sum);
}

function hashStripes(view: DataView, end: number): number {
  let [a, b, c, d] = [(PRIME_1 + PRIME_2) | 0, PRIME_2 | 0, 0, -PRIME_1 | 0];
  for (let at = 0; at < end; at += STRIPE_BYTES) {
    a = round(a, view.getUint32(at, true));
    b = round(b, view.getUint32(at + 4, true));
    c = round(c, view.getUint32(at + 8, true));
    d = round(d, view.getUint32(at + 12, true));
  }
  return rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
}

const round = (lane: number, word: number) => Math.imul(rotate(lane + Math.imul(word, PRIME_2), 13), PRIME_1);

const rotate = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits));

function avalanche(sum: number): number {
  let value = sum ^ (sum >>> 15);
  value = Math.imul(value, PRIME_2);
  value = Math.imul(value ^ (value >>> 13), PRIME_3);
  return (value ^ (value >>> 16)) >>> 0;
}
