import type { JsonObject, JsonValue } from './canonical-json.js';
import { LONE_SURROGATE_OR_NUL } from './records/json-fault.js';

const MAX_LEVELS = 64;
/** RFC 8259 §6. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const BLANKS = /[ \t\n\r]*/y;

export type StrictJson =
  | {
      value: JsonValue;
      /** Whether all numbers have the form of canonical JSON (RFC 8785 §3.2.2.3). */
      isCanonicalNumbers: boolean;
    }
  | { fault: 'malformed' | 'duplicateMember' };

/**
 * Parses only JSON that every parser reads in the same way (docs/spec/receipts-v1.md, section 1). For two members with
 * the same name, `JSON.parse` returns the value of the last member, but another parser may return that of the first.
 * Bytes must be UTF-8.
 *
 * The fault is `malformed` for a text that is not JSON, more than 64 levels, a number outside the range of a double, a
 * string with NUL or a lone surrogate, and a member `__proto__`. It is `duplicateMember` for an object with two members
 * of the same name. Never throws.
 *
 * @example
 * parseStrictJson('{"a":1.5}'); // => { value: { a: 1.5 }, isCanonicalNumbers: true }
 * parseStrictJson('{"a":1.50}'); // => { value: { a: 1.5 }, isCanonicalNumbers: false }
 * parseStrictJson('{"a":1,"a":1}'); // => { fault: 'duplicateMember' }
 */
export function parseStrictJson(source: string | Uint8Array): StrictJson {
  try {
    const text = typeof source === 'string' ? source : decodeUtf8(source);
    const cursor = { text, at: 0, hasDuplicates: false, isCanonicalNumbers: true };
    const value = readValue(cursor, 1);
    take(cursor, BLANKS);
    if (cursor.at < text.length) return { fault: 'malformed' };
    if (cursor.hasDuplicates) return { fault: 'duplicateMember' };
    return { value, isCanonicalNumbers: cursor.isCanonicalNumbers };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return { fault: 'malformed' };
    throw error;
  }
}

/** A byte order mark stays, so the text is then not valid JSON. */
function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

interface Cursor {
  readonly text: string;
  at: number;
  hasDuplicates: boolean;
  isCanonicalNumbers: boolean;
}

function readValue(cursor: Cursor, level: number): JsonValue {
  take(cursor, BLANKS);
  switch (cursor.text[cursor.at]) {
    case '{':
      return readObject(cursor, level);
    case '[':
      return readArray(cursor, level);
    case '"':
      return readString(cursor);
    case 't':
      return readLiteral(cursor, 'true', true);
    case 'f':
      return readLiteral(cursor, 'false', false);
    case 'n':
      return readLiteral(cursor, 'null', null);
    default:
      return readNumber(cursor);
  }
}

function readObject(cursor: Cursor, level: number): JsonObject {
  const object: JsonObject = {};
  readItems(cursor, { level, end: '}' }, () => {
    take(cursor, BLANKS);
    const name = readString(cursor);
    if (name === '__proto__') throw new SyntaxError('a member __proto__');
    if (Object.hasOwn(object, name)) cursor.hasDuplicates = true;
    take(cursor, BLANKS);
    if (!takeText(cursor, ':')) throw new SyntaxError('no colon after a name');
    object[name] = readValue(cursor, level + 1);
  });
  return object;
}

function readArray(cursor: Cursor, level: number): JsonValue[] {
  const elements: JsonValue[] = [];
  readItems(cursor, { level, end: ']' }, () => {
    elements.push(readValue(cursor, level + 1));
  });
  return elements;
}

function readItems(
  cursor: Cursor,
  { level, end }: { level: number; end: string },
  readItem: () => void,
): void {
  if (level > MAX_LEVELS) throw new SyntaxError('nested too deeply');
  cursor.at += 1;
  take(cursor, BLANKS);
  if (takeText(cursor, end)) return;
  do {
    readItem();
    take(cursor, BLANKS);
  } while (takeText(cursor, ','));
  if (!takeText(cursor, end)) throw new SyntaxError('no closing bracket');
}

function readString(cursor: Cursor): string {
  const { text, at } = cursor;
  if (text[at] !== '"') throw new SyntaxError('no string');
  let end = text.indexOf('"', at + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  if (end < 0) throw new SyntaxError('no end of a string');
  cursor.at = end + 1;
  // Throws for an invalid escape and for a control character (RFC 8259 §7).
  const value = JSON.parse(text.slice(at, end + 1)) as string;
  if (LONE_SURROGATE_OR_NUL.test(value)) throw new SyntaxError('a string with NUL or a lone surrogate');
  return value;
}

/** An odd number of backslashes precedes it. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (from > 0 && text[from - 1] === '\\') from--;
  return (at - from) % 2 === 1;
}

function readNumber(cursor: Cursor): number {
  const token = take(cursor, NUMBER);
  const number = Number(token);
  if (token === '' || !Number.isFinite(number))
    throw new SyntaxError('expected a number within the range of a double');
  if (JSON.stringify(number) !== token) cursor.isCanonicalNumbers = false;
  return number;
}

function readLiteral<Value extends boolean | null>(cursor: Cursor, name: string, value: Value): Value {
  if (!takeText(cursor, name)) throw new SyntaxError('an unknown literal');
  return value;
}

/** Returns the text that a sticky pattern matches, which may be empty, and moves past it. */
function take(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at;
  const [token = ''] = pattern.exec(cursor.text) ?? [];
  cursor.at += token.length;
  return token;
}

function takeText(cursor: Cursor, text: string): boolean {
  if (!cursor.text.startsWith(text, cursor.at)) return false;
  cursor.at += text.length;
  return true;
}
