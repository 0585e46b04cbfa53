import * as z from 'zod';
import type { JsonValue } from '../canonical-json.js';
import { jsonFault, LONE_SURROGATE_OR_NUL, sizeFault } from './json-fault.js';

/** 1 to `maxLength` UTF-16 code units that can be stored and digested. */
export function textField(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => !LONE_SURROGATE_OR_NUL.test(text), 'Must not contain NUL or lone surrogates');
}

/** A text field without control characters, and without white space at its ends. */
export function nameField(maxLength: number) {
  return textField(maxLength)
    .refine((text) => text.trim() === text, 'Must not begin or end with white space')
    .refine((text) => !/\p{Cc}/u.test(text), 'Must not contain control characters');
}

const MAX_WORD_LENGTH = 128;

/** Any text. Code editors suggest `Words`. */
export type OpenWord<Words extends string> = Words | (string & Record<never, never>);

/** Custom words match `own`. `ownForm` describes their form in messages. */
export function wordField<const Words extends readonly [string, ...string[]]>(
  words: Words,
  { own, ownForm }: { own: RegExp; ownForm: string },
) {
  const allowed = `${words.join(', ')}, or ${ownForm}`;
  const error = `Expected ${allowed}`;
  return z
    .union([z.enum(words, error), z.string(error).regex(own, error).max(MAX_WORD_LENGTH)], error)
    .meta({ description: allowed }) as z.ZodType<OpenWord<Words[number]>, OpenWord<Words[number]>>;
}

/** Stored unchanged; at most 65,536 characters as JSON. */
export const jsonObjectField = z
  .unknown()
  .superRefine((value, context) => {
    const fault = objectFault(value);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  })
  .transform((value) => value as Record<string, JsonValue>)
  .meta({
    type: 'object',
    additionalProperties: true,
    description: 'At most 65,536 characters as JSON',
  }) as z.ZodType<Record<string, JsonValue>, Record<string, unknown>>;

function objectFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'Expected a JSON object';
  return jsonFault(value) ?? sizeFault(value);
}

/** RFC 3339 with any offset. The parsed value is in UTC with milliseconds. */
export const instantField = z.iso
  .datetime({ offset: true })
  .transform((text, context) => {
    const at = new Date(text);
    const canonical = Number.isNaN(at.getTime()) ? '' : at.toISOString();
    if (/^\d{4}-/.test(canonical)) return canonical;
    context.addIssue({ code: 'custom', message: 'Expected an instant in the years 0000 to 9999 UTC' });
    return z.NEVER;
  })
  .meta({ description: 'RFC 3339 instant', examples: ['2026-08-02T09:30:00.000Z'] });

/** RFC 3339 in UTC with milliseconds. */
export const instantAnswer = z.string().meta({ format: 'date-time', examples: ['2026-08-02T09:30:00.000Z'] });

/** A UUID of any version (RFC 9562 §4). The parsed value is in lower case. */
export const uuidField = z.uuid().transform((id) => id.toLowerCase());
