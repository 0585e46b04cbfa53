import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import * as base2 from 'multiformats/bases/base2';
import * as base8 from 'multiformats/bases/base8';
import * as base16 from 'multiformats/bases/base16';
import * as base32 from 'multiformats/bases/base32';
import * as base64 from 'multiformats/bases/base64';
import * as base256emoji from 'multiformats/bases/base256emoji';

/** Multibase specification. */
export interface Multibase {
  readonly name: string;
  readonly prefix: string;
  encode(bytes: Uint8Array): string;
  /**
   * Throws for another prefix, for characters outside the alphabet, and for a number with more digits than a CID can
   * have. Some decoders accept non-canonical text, so compare it with the output of `encode`.
   */
  decode(text: string): Uint8Array;
}

/** The version, two varints of 8 bytes, the length, and a digest of 64 bytes. */
const MAX_CID_BITS = 8 * (1 + 8 + 8 + 1 + 64);
/** Each digit is an ASCII character. */
const CODES = 128;
const NO_DIGIT = 255;
const CASELESS_NAME = /^base(?:16|32|36)/;
const BASE_36 = '0123456789abcdefghijklmnopqrstuvwxyz';
const BASE_58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Maps a prefix to its multibase. */
const MULTIBASES = new Map<string, Multibase>(
  [
    ...[base2, base8, base16, base32, base64, base256emoji].flatMap((family): Multibase[] =>
      Object.values(family),
    ),
    numberBase('base10', '9', '0123456789'),
    numberBase('base36', 'k', BASE_36),
    numberBase('base36upper', 'K', BASE_36.toUpperCase()),
    numberBase('base58btc', 'z', BASE_58),
    numberBase('base58flickr', 'Z', BASE_58.slice(0, 9) + BASE_58.slice(33) + BASE_58.slice(9, 33)),
  ].map((base) => [base.prefix, base]),
);

/**
 * Reads the bytes as one number, with `BigInt`: multiformats takes many times as long for 256 digits. The time still
 * grows with the square of the number of digits, so `decode` rejects texts that are too long for a CID.
 */
function numberBase(name: string, prefix: string, digits: string): Multibase {
  const otherDigits = CASELESS_NAME.test(name) ? swapCase(digits) : digits;
  const values = new Uint8Array(CODES).fill(NO_DIGIT);
  for (const [place, digit] of [...otherDigits, ...digits].entries())
    values[digit.charCodeAt(0)] = place % digits.length;
  const radix = digits.length;
  const groupLength = Math.floor(Math.log(Number.MAX_SAFE_INTEGER) / Math.log(radix));
  const groupRadix = BigInt(radix ** groupLength);
  const [zero = ''] = digits;
  const maxDigits = Math.ceil(MAX_CID_BITS / Math.log2(radix));

  function toValue(text: string, start: number, end: number): number {
    let value = 0;
    for (let place = start; place < end; place++) {
      const next = values[text.charCodeAt(place)] ?? NO_DIGIT;
      if (next === NO_DIGIT) throw new TypeError(`The text is not in ${name}`);
      value = value * radix + next;
    }
    return value;
  }

  function toDigits(value: number): string {
    let group = '';
    for (let left = value; left > 0; left = Math.floor(left / radix))
      group = digits.charAt(left % radix) + group;
    return group;
  }

  return {
    name,
    prefix,
    encode(bytes) {
      const groups: string[] = [];
      for (let left = BigInt(`0x0${bytesToHex(bytes)}`); left > 0n; left /= groupRadix) {
        const group = toDigits(Number(left % groupRadix));
        groups.unshift(left < groupRadix ? group : group.padStart(groupLength, zero));
      }
      return prefix + zero.repeat(countFirst(bytes, 0)) + groups.join('');
    },
    decode(text) {
      if (text[0] !== prefix) throw new TypeError(`The text has no prefix of ${name}`);
      const written = text.slice(1);
      if (written.length > maxDigits) throw new RangeError('The text is too long for a CID');
      let number = 0n;
      for (let start = 0; start < written.length; start += groupLength) {
        const end = Math.min(start + groupLength, written.length);
        number = number * BigInt(radix ** (end - start)) + BigInt(toValue(written, start, end));
      }
      const hex = number === 0n ? '' : number.toString(16);
      return hexToBytes('00'.repeat(countFirst(written, zero)) + '0'.repeat(hex.length % 2) + hex);
    },
  };
}

function swapCase(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}

function countFirst<Item>(items: ArrayLike<Item>, item: Item): number {
  let count = 0;
  while (items[count] === item) count++;
  return count;
}

/** Returns undefined for an unknown prefix. */
export function multibaseOf(text: string): Multibase | undefined {
  const [prefix = ''] = text;
  return MULTIBASES.get(prefix);
}

/** The bases 16, 32 and 36 ignore case. */
export function isSameText(base: Multibase, text: string, encoded: string): boolean {
  if (text === encoded) return true;
  return CASELESS_NAME.test(base.name) && text.toLowerCase() === encoded.toLowerCase();
}
