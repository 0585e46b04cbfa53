import { ServiceError } from '../../errors.js';

/**
 * Throws `InvalidField` for malformed text and duplicate members (RFC 8259 §4), and `ValidationError` for a whole
 * number that a double would round, or for very many long numbers. `name`: the text in error messages.
 */
export function parseJson(text: string, name: string): unknown {
  const value = parse(text, name);
  const valueMembers = countMembers(value);
  // `countNames` returns an upper bound. When it equals the number of parsed members, no name occurs twice.
  if (countNames(text) === valueMembers && !hasLongNumber(text)) return value;
  const { memberCount, rounded } = scan(text, name);
  if (valueMembers !== memberCount) {
    throw new ServiceError('InvalidField', `An object in ${name} names a member twice.`);
  }
  if (rounded !== undefined) throw roundedNumber(pathOf(value, Number(rounded)));
  return value;
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ServiceError('InvalidField', `The JSON in ${name} is not well-formed.`, { cause });
  }
}

/** Upper bound of the number of members: counts each quote before a colon, also inside strings. */
function countNames(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (JSON_BLANKS.includes(text.charAt(before))) before--;
    if (text[before] === '"') count++;
  }
  return count;
}

const SEND_STRINGS = 'Send whole numbers beyond 2^53 as strings.';

/** White space of JSON (RFC 8259 §2). */
const JSON_BLANKS = [' ', '\t', '\n', '\r'];

/** Minimum number of digits of a whole number that a double can round. */
const LONG_DIGITS = 16;
/** Maximum number of whole numbers with more than `LONG_DIGITS` digits. Each needs two big integers. */
const MAX_VERY_LONG = 4_096;

const codeOf = (character: string) => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COLON, MINUS] = [codeOf('"'), codeOf('\\'), codeOf(':'), codeOf('-')];
const [ZERO, NINE, POINT, UPPER_E, LOWER_E] = [
  codeOf('0'),
  codeOf('9'),
  codeOf('.'),
  codeOf('E'),
  codeOf('e'),
];

const isDigit = (code: number) => code >= ZERO && code <= NINE;

/** Whether the text has `LONG_DIGITS` digits in a row. Each such row contains a character that the loop tests. */
function hasLongNumber(text: string): boolean {
  for (let at = LONG_DIGITS - 1; at < text.length; at += LONG_DIGITS) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    while (start > at - LONG_DIGITS && isDigit(text.charCodeAt(start - 1))) start--;
    if (endOfDigits(text, at) - start >= LONG_DIGITS) return true;
  }
  return false;
}

/** Reads only well-formed text. */
function scan(text: string, name: string): { memberCount: number; rounded: string | undefined } {
  let memberCount = 0;
  const long: LongNumbers = { count: 0, rounded: undefined };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === COLON) memberCount++;
    else if (isDigit(code)) {
      const end = endOfDigits(text, at);
      if (end - at >= LONG_DIGITS && isWhole(text, at, end)) addLong(long, { text, start: at, end });
      if (long.count > MAX_VERY_LONG) throw tooManyLong(name);
      at = end - 1;
    }
  }
  return { memberCount, rounded: long.rounded };
}

/** `count`: numbers that need big integers. `rounded`: the first number that a double would round. */
interface LongNumbers {
  count: number;
  rounded: string | undefined;
}

/** `end` is exclusive. */
interface Digits {
  text: string;
  start: number;
  end: number;
}

function addLong(long: LongNumbers, digits: Digits): void {
  const { text, start, end } = digits;
  if (end - start > LONG_DIGITS) long.count++;
  if (long.rounded !== undefined || !isRounded(digits)) return;
  long.rounded = text.slice(text.charCodeAt(start - 1) === MINUS ? start - 1 : start, end);
}

function endOfString(text: string, start: number): number {
  let at = start;
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at;
}

function endOfDigits(text: string, start: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** Whether the digits are a complete number, without a fraction or an exponent. */
function isWhole(text: string, start: number, end: number): boolean {
  const [next, before] = [text.charCodeAt(end), text.charCodeAt(start - 1)];
  if (next === POINT || next === UPPER_E || next === LOWER_E || before === POINT) return false;
  const sign = text[start - 1];
  const exponent = text.charCodeAt(sign === '-' || sign === '+' ? start - 2 : start - 1);
  return exponent !== UPPER_E && exponent !== LOWER_E;
}

/**
 * Whether a double rounds the digits. A double represents each multiple of 10 with 16 digits exactly. So for 16 digits,
 * adding the last digit and subtracting the rest again shows whether the sum was rounded.
 */
function isRounded({ text, start, end }: Digits): boolean {
  if (end - start === LONG_DIGITS) {
    let tens = 0;
    for (let at = start; at < end - 1; at++) tens = 10 * tens + text.charCodeAt(at) - ZERO;
    tens *= 10;
    const last = text.charCodeAt(end - 1) - ZERO;
    return tens + last - tens !== last;
  }
  const digits = text.slice(start, end);
  const value = Number(digits);
  return !Number.isFinite(value) || BigInt(digits) !== BigInt(value);
}

/** Uses no recursion, because a text may have more levels than the stack allows. */
function countMembers(whole: unknown): number {
  let count = 0;
  const waiting = [whole];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (members !== value) count += members.length;
    for (const member of members) if (typeof member === 'object') waiting.push(member);
  }
  return count;
}

/** Returns the path of the first value that equals `wanted`, such as `metadata.sizes.0`. */
function pathOf(whole: unknown, wanted: number): string {
  const waiting: [value: unknown, path: string][] = [[whole, '']];
  for (;;) {
    const [value, path] = waiting.pop() ?? [wanted, ''];
    if (value === wanted) return path;
    if (typeof value !== 'object' || value === null) continue;
    const before = path === '' ? '' : `${path}.`;
    const members = Object.entries(value).map(
      ([name, member]) => [member, before + name] as [unknown, string],
    );
    for (const member of members.reverse()) waiting.push(member);
  }
}

function tooManyLong(name: string): ServiceError {
  const message = `more than ${MAX_VERY_LONG} whole numbers have more than ${LONG_DIGITS} digits`;
  return new ServiceError('ValidationError', `The JSON in ${name} is not valid: ${message}.`, {
    recovery: SEND_STRINGS,
    details: [{ path: '', message }],
  });
}

function roundedNumber(path: string): ServiceError {
  return new ServiceError('ValidationError', `The body is not valid: ${path || 'body'} would be rounded.`, {
    recovery: SEND_STRINGS,
    details: [{ path, message: 'A double would round this whole number: send it as a string' }],
  });
}
