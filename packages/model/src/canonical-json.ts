/** A value that JSON can carry (RFC 8259 §3). */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object (RFC 8259 §4). */
export interface JsonObject {
  [name: string]: JsonValue;
}

/** Thrown for a value without canonical text under RFC 8785; `cause` has the reason. */
export class CanonicalJsonError extends TypeError {
  override name = 'CanonicalJsonError';
}

/**
 * The canonical JSON text of a value: equal values give equal text, whatever the order of their members
 * (RFC 8785 §3.2). A member that is undefined counts as absent, and -0 as 0, as in `JSON.stringify`.
 *
 * Throws CanonicalJsonError for NaN, an infinity, a lone surrogate (RFC 7493 §2), undefined as the whole value,
 * a cycle, and nesting deeper than the stack.
 *
 * @example
 * canonicalJson({ b: [1e21, -0], a: null }); // => '{"a":null,"b":[1e+21,0]}'
 */
export function canonicalJson(value: JsonValue): string {
  const text = canonicalTextOf(value);
  if (text === undefined) throw new CanonicalJsonError('undefined is not a JSON value');
  return text;
}

/** The UTF-8 bytes of `canonicalJson(value)`, the input of a hash (RFC 8785 §3.2.4). */
export function canonicalJsonBytes(value: JsonValue): Uint8Array {
  return new TextEncoder().encode(canonicalJson(value));
}

/** Whether a JSON value is an object: not null, not an array. An absent member is none. */
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

/** A cycle ends here with a stack overflow, which becomes an error. */
function write(value: JsonValue): string | undefined {
  if (typeof value === 'string') return writeString(value);
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? writeArray(value) : writeObject(value);
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value} is not JSON`);
  return JSON.stringify(value);
}

/** No character that JSON escapes, and no surrogate. */
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

/** RFC 8785 §3.2.3: a plain sort compares UTF-16 code units. */
function writeObject(object: JsonObject): string {
  let text = '';
  for (const name of Object.keys(object).sort()) {
    const member = object[name];
    if (member === undefined) continue;
    text += `${text === '' ? '{' : ','}${writeString(name)}:${write(member)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}
