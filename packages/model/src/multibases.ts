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

/** The supported bases of the multibase table, by prefix. */
const MULTIBASES = new Map<string, Multibase>(
  [base2, base8, base10, base16, base32, base36, base58, base64, base256emoji]
    .flatMap((family): Multibase[] => Object.values(family))
    .map((base) => [base.prefix, base]),
);

const CASELESS_NAME = /^base(?:16|32|36)/;

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
