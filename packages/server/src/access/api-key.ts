import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'pk_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_DIGITS = 40;
const CHECKSUM_DIGITS = 6;
const SHOWN_CHARACTERS = PREFIX.length + 8;

/** Creates an API key: a prefix, 238 random bits and a checksum, in base 62. */
export function createApiKeyText(): string {
  let text = PREFIX;
  for (let index = 0; index < RANDOM_DIGITS; index++) text += ALPHABET[randomInt(ALPHABET.length)];
  return text + checksum(text);
}

/** The checksum detects typing errors without a database query. */
export function isApiKeyText(text: string): boolean {
  const body = text.slice(0, -CHECKSUM_DIGITS);
  return (
    text.length === PREFIX.length + RANDOM_DIGITS + CHECKSUM_DIGITS &&
    text.startsWith(PREFIX) &&
    text.endsWith(checksum(body))
  );
}

/** Lists of keys show these characters instead of the key. */
export function shownPrefix(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS);
}

/** A slow hash is unnecessary, because the key has 238 random bits. */
export function keyDigest(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let digit = 0; digit < CHECKSUM_DIGITS; digit++) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
