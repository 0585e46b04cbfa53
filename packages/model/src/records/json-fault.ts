/** Maximum number of levels of nesting in a stored JSON value. */
export const MAX_JSON_DEPTH = 32;

/** PostgreSQL cannot store NUL. Lone surrogates have no canonical JSON. */
export const LONE_SURROGATE_OR_NUL =
  /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|\0/;

/** Returns the reason why `value` cannot be stored and digested (RFC 8785 §3.1: I-JSON), or undefined when it can. */
export function jsonFault(value: unknown, depth = 0): string | undefined {
  if (depth > MAX_JSON_DEPTH) return `nested deeper than ${MAX_JSON_DEPTH} levels`;
  switch (typeof value) {
    case 'string':
      return LONE_SURROGATE_OR_NUL.test(value) ? 'a string contains NUL or a lone surrogate' : undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : 'a number is outside the range of a double';
    case 'boolean':
      return undefined;
    case 'object':
      return value === null ? undefined : containerFault(value, depth);
    default:
      return 'not a JSON value';
  }
}

function containerFault(container: object, depth: number): string | undefined {
  for (const [key, value] of Object.entries(container)) {
    if (key === '__proto__') return 'the member name __proto__ is not allowed';
    const fault = jsonFault(key) ?? jsonFault(value, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const MAX_OBJECT_CHARACTERS = 65_536;

export function sizeFault(value: unknown): string | undefined {
  const { length } = JSON.stringify(value);
  return length > MAX_OBJECT_CHARACTERS
    ? `Too large: at most ${MAX_OBJECT_CHARACTERS} characters as JSON`
    : undefined;
}
