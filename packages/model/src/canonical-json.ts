/** A value that JSON can represent (RFC 8259 §3). */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object (RFC 8259 §4). */
export interface JsonObject {
  [name: string]: JsonValue;
}

/** The value has no canonical JSON (RFC 8785). `cause` has the reason. */
export class CanonicalJsonError extends TypeError {
  override name = 'CanonicalJsonError';
}

/**
 * Returns the canonical JSON of a value. Equal values have equal text, whatever the order of their members (RFC 8785
 * §3.2). As in `JSON.stringify`, undefined members are left out and -0 becomes 0.
 *
 * Throws CanonicalJsonError for NaN, an infinity, a lone surrogate (RFC 7493 §2), an undefined `value`, a cycle, and
 * nesting deeper than the stack allows.
 *
 * @example
 * canonicalJson({ b: [1e21, -0], a: null }); // => '{"a":null,"b":[1e+21,0]}'
 */
export function canonicalJson(value: JsonValue): string {
  const text = canonicalTextOf(value);
  if (text === undefined) throw new CanonicalJsonError('undefined is not a JSON value');
  return text;
}

/** UTF-8, the input of a hash (RFC 8785 §3.2.4). */
export function canonicalJsonBytes(value: JsonValue): Uint8Array {
  return new TextEncoder().encode(canonicalJson(value));
}

/** Whether a JSON value is an object. Returns false for null, an array and undefined. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function canonicalTextOf(value: JsonValue): string | undefined {
  try {
    return write(value);
  } catch (cause) {
    throw new CanonicalJsonError('The value cannot be written as canonical JSON (RFC 8785); see `cause`', {
      cause,
    });
  }
}

/** A cycle ends with a stack overflow, which `canonicalJson` converts to a CanonicalJsonError. */
function write(value: JsonValue): string | undefined {
  if (typeof value === 'string') return writeString(value);
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? writeArray(value) : writeObject(value);
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value} is not JSON`);
  return JSON.stringify(value);
}

/** Printable ASCII without the characters that JSON escapes. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** RFC 8785 §3.2.2.2. */
function writeString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (/\p{Surrogate}/u.test(text))
    throw new RangeError('A string contains a lone surrogate; send valid Unicode text');
  return JSON.stringify(text);
}

function writeArray(elements: readonly JsonValue[]): string {
  let text = '[';
  for (let index = 0; index < elements.length; index++) {
    if (index > 0) text += ',';
    text += write(elements[index] ?? null);
  }
  return `${text}]`;
}

/** RFC 8785 §3.2.3 orders names by UTF-16 code units, as the default sort does. */
function writeObject(object: JsonObject): string {
  let text = '';
  for (const name of Object.keys(object).sort()) {
    const member = object[name];
    if (member === undefined) continue;
    text += `${text === '' ? '{' : ','}${writeString(name)}:${write(member)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}
