import { z } from 'zod';
import type { JsonObject } from '../canonical-json.js';
import { jsonFault } from './json-fields.js';

const EXTENSION_KEY = /^ext:[a-zA-Z]\w*(?:[:-]\w+)*@\d+\.\d+\.\d+$/;

/** Extensions that only the service may assert; a caller that sends one is refused. */
export const SERVER_ASSERTED_EXTENSIONS = ['ext:verification', 'ext:witness', 'ext:onchain', 'ext:identity'];

/**
 * Extensions of a record: `ext:<name>@<semver>` -> object, kept as given.
 * Other keys, and extensions that the service itself asserts, are refused.
 */
export const extensionsField = z
  .record(z.string().max(128), z.unknown())
  .superRefine((extensions, context) => {
    for (const [key, value] of Object.entries(extensions)) {
      const message = extensionFault(key, value);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [key], message });
    }
  })
  .transform((extensions) => extensions as Record<string, JsonObject>)
  .meta({ description: 'Extensions by `ext:<name>@<semver>`' });

function extensionFault(key: string, value: unknown): string | undefined {
  if (!EXTENSION_KEY.test(key)) return 'An extension key has the form ext:<name>@<major.minor.patch>';
  const name = key.slice(0, key.indexOf('@'));
  if (SERVER_ASSERTED_EXTENSIONS.includes(name)) return `${name} is asserted by the service alone`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'An extension is a JSON object';
  }
  return jsonFault(value);
}
