import * as z from 'zod';
import type { JsonObject } from '../canonical-json.js';
import { KNOWN_EXTENSIONS, type KnownExtensionKey } from '../extensions/known-extensions.js';
import { jsonFault, sizeFault } from './json-fault.js';

const EXTENSION_KEY = /^ext:[a-zA-Z]\w*(?:[:-]\w+)*@\d+\.\d+\.\d+$/;
const MAX_KEY_LENGTH = 128;
const MAX_EXTENSIONS = 100;

/**
 * Extensions that only the service may set, in any version and case. They state observations of the service, so the
 * service rejects them in requests.
 *
 * The ProvenanceKit server also sets `ext:session`. This list does not contain `ext:session`, for two reasons: no
 * decision of the service depends on it, and an import of existing records must be able to keep it.
 */
export const SERVER_ASSERTED_EXTENSIONS = [
  'ext:verification',
  'ext:witness',
  'ext:onchain',
  'ext:identity',
  'ext:auth',
] as const;

type ServerAssertedKey = `${(typeof SERVER_ASSERTED_EXTENSIONS)[number]}@${string}`;

/** Extensions in requests: known extensions with checked members, and any others. */
export type ExtensionsRequest = {
  [Key in Exclude<KnownExtensionKey, ServerAssertedKey>]?: z.input<(typeof KNOWN_EXTENSIONS)[Key]>;
} & { [key: `ext:${string}@${string}`]: unknown };

/**
 * `ext:<name>@<semver>` -> object, stored unchanged. A known extension must match its schema in `KNOWN_EXTENSIONS`; the
 * path of a fault begins with its key. Unknown members and extensions can be any JSON that the service can store.
 * Rejects keys of another form, more than 100 extensions, and extensions that only the service may set.
 */
export const extensionsField = createField(() => undefined);

/** The extensions of a record that is part of many histories have at most 65,536 characters as JSON. */
export const smallExtensionsField = createField(sizeFault);

/** Checks number and size first, so it rejects an oversized value at low cost. */
function createField(wholeFault: (extensions: object) => string | undefined) {
  /** Must precede `z.record`, which silently drops a key `__proto__`. */
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
      description: `Extensions by \`ext:<name>@<semver>\`, stored unchanged. The service checks the members of these extensions: ${checkedKeys()}`,
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

function checkedKeys(): string {
  return Object.keys(KNOWN_EXTENSIONS)
    .filter((key) => keyFault(key) === undefined)
    .join(', ');
}

function valueFault(value: unknown): string | undefined {
  return isObject(value) ? jsonFault(value) : 'An extension is a JSON object';
}

/** Discards the parsed value, because parsing changes the order of the members. */
function reportMemberFaults(key: string, value: unknown, context: z.RefinementCtx): void {
  const schemas: Record<string, z.ZodType> = KNOWN_EXTENSIONS;
  for (const issue of schemas[key]?.safeParse(value).error?.issues ?? []) {
    context.addIssue({ ...issue, path: [key, ...issue.path] });
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
