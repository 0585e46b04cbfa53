import { z } from 'zod';
import type { JsonValue } from '../canonical-json.js';

/** Nesting that a stored JSON value may have; deeper ones are refused. */
export const MAX_JSON_DEPTH = 32;

const LONE_SURROGATE_OR_NUL = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|\0/;

/** Why `value` cannot be stored and digested (RFC 8785 §3.1: I-JSON), or undefined when it can. */
export function jsonFault(value: unknown, depth = 0): string | undefined {
  if (depth > MAX_JSON_DEPTH) return `nested deeper than ${MAX_JSON_DEPTH} levels`;
  switch (typeof value) {
    case 'string':
      return LONE_SURROGATE_OR_NUL.test(value) ? 'a string holds NUL or a lone surrogate' : undefined;
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

/** A string that can be stored and digested: 1 to `maxLength` UTF-16 units, no NUL, no lone surrogate. */
export function textField(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => !LONE_SURROGATE_OR_NUL.test(text), 'Must not hold NUL or lone surrogates');
}

/** A short name: a text field without blanks at its ends and without control characters. */
export function nameField(maxLength: number) {
  return textField(maxLength)
    .refine((text) => text.trim() === text, 'Must not begin or end with blanks')
    .refine((text) => !/\p{Cc}/u.test(text), 'Must not hold control characters');
}

const MAX_WORD_LENGTH = 128;

/** One of these words, or a word of the caller's own of a form, which messages call `ownForm`. */
export function wordField<const Words extends readonly [string, ...string[]]>(
  words: Words,
  { own, ownForm }: { own: RegExp; ownForm: string },
) {
  const allowed = `${words.join(', ')}, or ${ownForm}`;
  const error = `Expected ${allowed}`;
  return z
    .union([z.enum(words, error), z.string(error).regex(own, error).max(MAX_WORD_LENGTH)], error)
    .meta({ description: allowed });
}

const MAX_OBJECT_CHARACTERS = 65_536;

/** A JSON object kept as given, of at most 65,536 characters as JSON. */
export const jsonObjectField = z
  .unknown()
  .superRefine((value, context) => {
    const fault = objectFault(value);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  })
  .transform((value) => value as Record<string, JsonValue>)
  .meta({ type: 'object', additionalProperties: true }) as z.ZodType<
  Record<string, JsonValue>,
  Record<string, unknown>
>;

function objectFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'Expected a JSON object';
  return jsonFault(value) ?? sizeFault(value);
}

/** Why a JSON value is too large to be kept beside a record, or undefined. */
export function sizeFault(value: unknown): string | undefined {
  const { length } = JSON.stringify(value);
  return length > MAX_OBJECT_CHARACTERS
    ? `Is larger than ${MAX_OBJECT_CHARACTERS} characters as JSON`
    : undefined;
}

/** An RFC 3339 instant with any offset; UTC with milliseconds once parsed. */
export const instantField = z.iso
  .datetime({ offset: true })
  .transform((text, context) => {
    const at = new Date(text);
    const canonical = Number.isNaN(at.getTime()) ? '' : at.toISOString();
    if (/^\d{4}-/.test(canonical)) return canonical;
    context.addIssue({ code: 'custom', message: 'Not an instant of the years 0000 to 9999 UTC' });
    return z.NEVER;
  })
  .meta({ description: 'RFC 3339 instant', examples: ['2026-08-02T09:30:00.000Z'] });

/** An instant in an answer: RFC 3339, UTC, milliseconds. */
export const instantAnswer = z.string().meta({ format: 'date-time', examples: ['2026-08-02T09:30:00.000Z'] });

/** A UUID of any version, in lower case once parsed (RFC 9562 §4). */
export const uuidField = z.uuid().transform((id) => id.toLowerCase());
