import * as z from 'zod';
import type { JsonObject } from '../canonical-json.js';
import { jsonFault } from '../records/json-fault.js';

/** Longest text from a file, in UTF-16 units. A longer one is cut and ends with `…`. */
export const MAX_TEXT_LENGTH = 1000;

/** Longest name that joins parts of a store. A longer one is dropped, since a cut name would be another name. */
export const MAX_LABEL_LENGTH = 512;

const MAX_OBJECT_CHARACTERS = 65_536;
const UNSTORABLE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|\p{Cc}/gu;

/**
 * Text from a file for people: on one line, trimmed, cut to `maxLength`. NUL, control characters and lone surrogates
 * become U+FFFD. Undefined for a value that is not text, or that is empty afterwards.
 */
export function lenientText(maxLength = MAX_TEXT_LENGTH) {
  return z
    .string()
    .transform((text) => cleanText(text, maxLength))
    .optional()
    .catch(undefined);
}

/** A name that joins parts of a store: unchanged, or undefined when it is too long or cannot be stored. */
export const lenientLabel = z
  .string()
  .min(1)
  .max(MAX_LABEL_LENGTH)
  .refine((label) => jsonFault(label) === undefined)
  .optional()
  .catch(undefined);

/** An instant in UTC with milliseconds, or undefined. */
export const lenientInstant = z
  .string()
  .max(64)
  .transform((text) => toInstant(text))
  .optional()
  .catch(undefined);

/** A list of untyped elements; any other value becomes an empty list. */
export const lenientList = z.array(z.unknown()).catch([]);

/** A JSON object that can be stored in a record: at most 65,536 characters, 32 levels deep. Otherwise undefined. */
export const lenientObject = z
  .unknown()
  .transform((value) => (isStorableObject(value) ? value : undefined))
  .optional();

/** Text on one line, trimmed, storable and cut; undefined when nothing is left. */
export function cleanText(text: string, maxLength: number): string | undefined {
  const head = text.slice(0, 2 * maxLength); // the rest would be cut anyway
  const clean = head.replace(/\s+/g, ' ').trim().replace(UNSTORABLE, '\uFFFD');
  if (clean.length <= maxLength && head.length === text.length) return clean === '' ? undefined : clean;
  const kept = clean.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept.trimEnd()}…`;
}

function toInstant(text: string): string | undefined {
  const isInstant = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text);
  const at = new Date(isInstant ? text : Number.NaN);
  if (Number.isNaN(at.getTime())) return undefined;
  const instant = at.toISOString();
  return /^\d{4}-/.test(instant) ? instant : undefined;
}

function isStorableObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    jsonFault(value) === undefined &&
    JSON.stringify(value).length <= MAX_OBJECT_CHARACTERS
  );
}
