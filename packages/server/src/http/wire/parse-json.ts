import { ServiceError } from '../../errors.js';

/**
 * Parses JSON text. Throws `InvalidField` for malformed text and duplicate members (RFC 8259 §4), and `ValidationError`
 * for a whole number that a double would round. `name`: the name of the text in error messages.
 */
export function parseJson(text: string, name: string): unknown {
  const value = parse(text, name);
  const valueMembers = countMembers(value);
  // `countNames` returns an upper bound. When it equals the number of parsed members, no name occurs twice. Only long
  // numbers remain to check.
  if (countNames(text) === valueMembers && !LONG_NUMBER.test(text)) return value;
  const { memberCount, rounded } = scan(text);
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

const LONG_NUMBER = /\d{16}/;

/**
 * Returns an upper bound of the number of members in the text: it counts quotes before a colon, also inside strings.
 */
function countNames(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (JSON_BLANKS.includes(text.charAt(before))) before--;
    if (text[before] === '"') count++;
  }
  return count;
}

/** White space of JSON (RFC 8259 §2). */
const JSON_BLANKS = [' ', '\t', '\n', '\r'];

/** Matches each string of well-formed text, with the colon after a member's name, and each long whole number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

function scan(text: string): { memberCount: number; rounded: string | undefined } {
  let memberCount = 0;
  let rounded: string | undefined;
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (colon !== undefined) memberCount++;
    else if (rounded === undefined && !token.startsWith('"') && isRounded(token)) rounded = token;
  }
  return { memberCount, rounded };
}

function isRounded(digits: string): boolean {
  const value = Number(digits);
  return !Number.isFinite(value) || BigInt(digits) !== BigInt(value);
}

/** Counts the members without recursion, because a text may have more levels than the stack allows. */
function countMembers(whole: unknown): number {
  let count = 0;
  const waiting = [whole];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const members: unknown[] = Object.values(value);
    if (!Array.isArray(value)) count += members.length;
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

function roundedNumber(path: string): ServiceError {
  return new ServiceError('ValidationError', `The body is not valid: ${path || 'body'} would be rounded.`, {
    recovery: 'Send whole numbers beyond 2^53 as strings.',
    details: [{ path, message: 'A double would round this whole number: send it as a string' }],
  });
}
