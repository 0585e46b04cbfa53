import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import * as base2 from 'multiformats/bases/base2';
import * as base8 from 'multiformats/bases/base8';
import * as base16 from 'multiformats/bases/base16';
import * as base32 from 'multiformats/bases/base32';
import * as base64 from 'multiformats/bases/base64';
import * as base256emoji from 'multiformats/bases/base256emoji';

/** An encoding of bytes as text, with its prefix (multibase specification). */
export interface Multibase {
  readonly name: string;
  readonly prefix: string;
  encode(bytes: Uint8Array): string;
  /**
   * Decodes text with its prefix. Throws for another prefix, and for characters outside the alphabet. Some decoders
   * also accept non-canonical text, so compare the text with the output of `encode`.
   */
  decode(text: string): Uint8Array;
}

const CASELESS_NAME = /^base(?:16|32|36)/;
const BASE_36 = '0123456789abcdefghijklmnopqrstuvwxyz';
const BASE_58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The supported bases of the multibase table, by prefix. */
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
 * Returns a base that reads the bytes as one number. With `BigInt`, a text of 256 digits takes a fraction of the time
 * that multiformats needs, which multiplies the number byte by byte for each digit.
 */
function numberBase(name: string, prefix: string, digits: string): Multibase {
  const otherDigits = CASELESS_NAME.test(name) ? swapCase(digits) : digits;
  const radix = BigInt(digits.length);
  const [zero = ''] = digits;
  return {
    name,
    prefix,
    encode(bytes) {
      let text = '';
      for (let left = BigInt(`0x0${bytesToHex(bytes)}`); left > 0n; left /= radix)
        text = digits.charAt(Number(left % radix)) + text;
      return prefix + zero.repeat(countFirst(bytes, 0)) + text;
    },
    decode(text) {
      if (text[0] !== prefix) throw new TypeError(`The text has no prefix of ${name}`);
      const written = text.slice(1);
      let number = 0n;
      for (const digit of written) {
        let value = digits.indexOf(digit);
        if (value < 0) value = otherDigits.indexOf(digit);
        if (value < 0) throw new TypeError(`The text is not in ${name}`);
        number = number * radix + BigInt(value);
      }
      const hex = number === 0n ? '' : number.toString(16);
      return hexToBytes('00'.repeat(countFirst(written, zero)) + '0'.repeat(hex.length % 2) + hex);
    },
  };
}

function swapCase(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}

/** Returns how many items at the beginning are equal to `item`. */
function countFirst<Item>(items: ArrayLike<Item>, item: Item): number {
  let count = 0;
  while (items[count] === item) count++;
  return count;
}

/** Returns the base that the first character of multibase text selects. Undefined for an unknown prefix. */
export function multibaseOf(text: string): Multibase | undefined {
  const [prefix = ''] = text;
  return MULTIBASES.get(prefix);
}

/** Whether `text` equals `encoded` by the rules of `base`. The bases 16, 32 and 36 ignore case. */
export function isSameText(base: Multibase, text: string, encoded: string): boolean {
  if (text === encoded) return true;
  return CASELESS_NAME.test(base.name) && text.toLowerCase() === encoded.toLowerCase();
}
