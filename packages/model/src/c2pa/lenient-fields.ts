import * as z from 'zod';
import type { JsonObject } from '../canonical-json.js';
import { jsonFault } from '../records/json-fault.js';

/** In UTF-16 code units. Longer text is truncated and ends with `…`. */
const MAX_TEXT_LENGTH = 1000;

/** Longer labels are dropped, because a truncated label could equal another label. */
export const MAX_LABEL_LENGTH = 512;

const MAX_OBJECT_CHARACTERS = 65_536;
const UNSTORABLE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|\p{Cc}/gu;

/**
 * Text on one line, trimmed, truncated to `maxLength`. White space becomes one space, and other control characters and
 * lone surrogates U+FFFD. Empty text, text that begins with `2 * maxLength` white-space characters, and values of other
 * types become undefined.
 */
export function lenientText(maxLength = MAX_TEXT_LENGTH) {
  return z
    .string()
    .transform((text) => cleanText(text, maxLength))
    .optional()
    .catch(undefined);
}

/** The label stays unchanged. One that is too long or cannot be stored becomes undefined. */
export const lenientLabel = z
  .string()
  .min(1)
  .max(MAX_LABEL_LENGTH)
  .refine((label) => jsonFault(label) === undefined)
  .optional()
  .catch(undefined);

/** Accepts an instant, and returns it in UTC with milliseconds. Any other value becomes undefined. */
export const lenientInstant = z
  .string()
  .max(64)
  .transform((text) => toInstant(text))
  .optional()
  .catch(undefined);

/** Any other value becomes an empty list. */
export const lenientList = z.array(z.unknown()).catch([]);

/** Accepts an object of at most 65,536 characters and 32 levels. Any other value becomes undefined. */
export const lenientObject = z
  .unknown()
  .transform((value) => (isStorableObject(value) ? value : undefined))
  .optional();

/** Bounds the time for a malformed file. */
const MAX_MALFORMED = 1000;

/**
 * Malformed elements, for which `read` returns undefined, do not count. `isComplete` is false when there are more
 * elements, or more than 1000 malformed ones.
 */
export function readUpTo<Raw, Item>(
  elements: Iterable<Raw>,
  limit: number,
  read: (raw: Raw) => Item | undefined,
): { items: Item[]; isComplete: boolean } {
  const items: Item[] = [];
  let malformed = 0;
  for (const raw of elements) {
    const item = read(raw);
    if (item === undefined) malformed += 1;
    else if (items.length < limit) items.push(item);
    else return { items, isComplete: false };
    if (malformed > MAX_MALFORMED) return { items, isComplete: false };
  }
  return { items, isComplete: true };
}

/** Returns undefined if the first `2 * maxLength` characters are only white space. */
export function cleanText(text: string, maxLength: number): string | undefined {
  const head = text.slice(0, 2 * maxLength); // limits the time for a long text
  const clean = head.replace(/\s+/g, ' ').trim().replace(UNSTORABLE, '\uFFFD');
  if (clean === '') return undefined;
  if (clean.length <= maxLength && head.length === text.length) return clean;
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
