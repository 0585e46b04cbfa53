import { hexToBytes } from '@noble/hashes/utils.js';
import * as base2 from 'multiformats/bases/base2';
import * as base8 from 'multiformats/bases/base8';
import * as base10 from 'multiformats/bases/base10';
import * as base16 from 'multiformats/bases/base16';
import * as base32 from 'multiformats/bases/base32';
import * as base36 from 'multiformats/bases/base36';
import * as base58 from 'multiformats/bases/base58';
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

/** The digits of the bases that read the bytes as one number. */
const TEN = '0123456789';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const [LOWER_58, UPPER_58] = ['abcdefghijkmnopqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ'];
const NUMBER_BASES: Readonly<Record<string, string>> = {
  base10: TEN,
  base36: TEN + LETTERS,
  base36upper: TEN + LETTERS,
  base58btc: `123456789${UPPER_58}${LOWER_58}`,
  base58flickr: `123456789${LOWER_58}${UPPER_58}`,
};

const NO_DIGIT = 0xff;

/** The supported bases of the multibase table, by prefix. */
const MULTIBASES = new Map<string, Multibase>(
  [base2, base8, base10, base16, base32, base36, base58, base64, base256emoji]
    .flatMap((family): Multibase[] => Object.values(family))
    .map((base) => [base.prefix, toFasterBase(base)]),
);

/** Number of digits that become one integer. The largest, 58^9, is a safe integer. */
const STEP_DIGITS = 9;

/**
 * Returns the same base. If it reads the bytes as one number, its decoder takes a fraction of the time: it computes with
 * 9 digits at a time, and does not repeat a long multiplication for each digit.
 */
function toFasterBase(base: Multibase): Multibase {
  const { name, prefix } = base;
  const digits = NUMBER_BASES[name];
  if (digits === undefined) return base;
  const values = toValues(digits, CASELESS_NAME.test(name));
  return {
    name,
    prefix,
    encode: (bytes) => base.encode(bytes),
    decode(text) {
      if (!text.startsWith(prefix)) throw new TypeError(`The text has no prefix of ${name}`);
      let zeros = 0;
      while (text[prefix.length + zeros] === digits[0]) zeros++;
      const hex = readNumber(text.slice(prefix.length + zeros), values, digits.length).toString(16);
      if (hex === '0') return new Uint8Array(zeros);
      return hexToBytes('00'.repeat(zeros) + hex.padStart(hex.length + (hex.length % 2), '0'));
    },
  };
}

/** Returns the value of each ASCII character; `NO_DIGIT` for a character outside the alphabet. */
function toValues(digits: string, isCaseless: boolean): Uint8Array {
  const values = new Uint8Array(0x80).fill(NO_DIGIT);
  const spellings = isCaseless ? [digits.toLowerCase(), digits.toUpperCase()] : [digits];
  for (const spelling of spellings) {
    for (let value = 0; value < spelling.length; value++) values[spelling.charCodeAt(value)] = value;
  }
  return values;
}

function readNumber(text: string, values: Uint8Array, radix: number): bigint {
  let number = 0n;
  for (let at = 0; at < text.length; at += STEP_DIGITS) {
    const end = Math.min(at + STEP_DIGITS, text.length);
    let part = 0;
    for (let place = at; place < end; place++) {
      const value = values[text.charCodeAt(place)] ?? NO_DIGIT;
      if (value === NO_DIGIT) throw new TypeError('The text has a character outside the alphabet');
      part = part * radix + value;
    }
    number = number * BigInt(radix ** (end - at)) + BigInt(part);
  }
  return number;
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
