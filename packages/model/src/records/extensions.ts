import * as z from 'zod';
import type { JsonObject } from '../canonical-json.js';
import { KNOWN_EXTENSIONS, type KnownExtensionKey } from '../extensions/known-extensions.js';
import { jsonFault, sizeFault } from './json-fault.js';

const EXTENSION_KEY = /^ext:[a-zA-Z]\w*(?:[:-]\w+)*@\d+\.\d+\.\d+$/;
const MAX_KEY_LENGTH = 128;
const MAX_EXTENSIONS = 100;

/**
 * Extensions that only the service may assert, in any version and case. They state the service's own observations, so
 * one from a caller would be a forgery and is rejected.
 *
 * `ext:session`, which the published server also writes by itself, is not in this list. It is only a label that
 * decides nothing, and an import of existing records must be able to keep it. `ext:auth` is in the list.
 */
export const SERVER_ASSERTED_EXTENSIONS = [
  'ext:verification',
  'ext:witness',
  'ext:onchain',
  'ext:identity',
  'ext:auth',
] as const;

type ServerAssertedKey = `${(typeof SERVER_ASSERTED_EXTENSIONS)[number]}@${string}`;

/** Extensions in requests: known ones with their checked members, and any others. */
export type ExtensionsRequest = {
  [Key in Exclude<KnownExtensionKey, ServerAssertedKey>]?: z.input<(typeof KNOWN_EXTENSIONS)[Key]>;
} & { [key: `ext:${string}@${string}`]: unknown };

/**
 * Extensions of a record: `ext:<name>@<semver>` -> object, stored unchanged.
 *
 * A known extension (`KNOWN_EXTENSIONS`) must have its shape; the path of an issue is the key and then the member.
 * Unknown members and unknown extensions may have any JSON that can be stored. Other keys, more than 100 of them, and
 * extensions that only the service asserts are rejected.
 */
export const extensionsField = createField(() => undefined);

/** Extensions of a record that many histories contain: at most 65,536 characters as JSON. */
export const smallExtensionsField = createField(sizeFault);

/** Sizes are checked before the content, so that a hostile value costs little. */
function createField(wholeFault: (extensions: object) => string | undefined) {
  /** Runs before the record is parsed, which would drop a key `__proto__` silently. */
  const reportFaults = (extensions: Record<string, unknown>, context: z.RefinementCtx): unknown => {
    if (!isObject(extensions)) return extensions;
    const entries = Object.entries(extensions);
    if (entries.length > MAX_EXTENSIONS) {
      context.addIssue({
        code: 'custom',
        message: `Too many extensions: at most ${MAX_EXTENSIONS} are allowed`,
      });
      return extensions;
    }
    const sound = entries.filter(([key, value]) => {
      const message = keyFault(key) ?? valueFault(value);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [key], message });
      return message === undefined;
    });
    const message = wholeFault(Object.fromEntries(sound));
    if (message !== undefined) context.addIssue({ code: 'custom', message });
    else for (const [key, value] of sound) reportMemberFaults(key, value, context);
    return extensions;
  };
  return z
    .preprocess(reportFaults, z.record(z.string().max(MAX_KEY_LENGTH), z.unknown()))
    .transform((extensions) => extensions as Record<string, JsonObject>)
    .meta({
      description: `Extensions by \`ext:<name>@<semver>\`, stored unchanged. The members of these are checked: ${checkedKeys()}`,
    }) as z.ZodType<Record<string, JsonObject>, ExtensionsRequest>;
}

function keyFault(key: string): string | undefined {
  if (key.length > MAX_KEY_LENGTH) return `An extension key has at most ${MAX_KEY_LENGTH} characters`;
  if (!EXTENSION_KEY.test(key)) return 'An extension key has the form ext:<name>@<major.minor.patch>';
  const name = key.slice(0, key.indexOf('@'));
  return SERVER_ASSERTED_EXTENSIONS.some((asserted) => asserted === name.toLowerCase())
    ? `Only the service may assert ${name}; leave it out`
    : undefined;
}

/** The known extensions that a caller may send. */
function checkedKeys(): string {
  return Object.keys(KNOWN_EXTENSIONS)
    .filter((key) => keyFault(key) === undefined)
    .join(', ');
}

function valueFault(value: unknown): string | undefined {
  return isObject(value) ? jsonFault(value) : 'An extension is a JSON object';
}

/** Only reports problems. The parsed output has another order of members, so it is not stored. */
function reportMemberFaults(key: string, value: unknown, context: z.RefinementCtx): void {
  const schemas: Record<string, z.ZodType> = KNOWN_EXTENSIONS;
  for (const issue of schemas[key]?.safeParse(value).error?.issues ?? []) {
    context.addIssue({ ...issue, path: [key, ...issue.path] });
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
