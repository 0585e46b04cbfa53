import * as z from 'zod';
import { nameField, textField } from '../records/json-fields.js';

const UUID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A slug: `minLength` to 40 lower-case letters, digits and hyphens. It must not have the form of a UUID. */
export function slugField(minLength: number) {
  return z
    .string()
    .min(minLength)
    .max(40)
    .regex(/^[a-z0-9-]+$/, 'Expected lower-case letters, digits and hyphens')
    .refine((slug) => !UUID_SHAPE.test(slug), 'Must not have the form of a UUID');
}

/** 2 to 64 characters on one line. */
export const titleField = nameField(64)
  .refine((name) => [...name].length >= 2, 'Expected at least 2 characters')
  .meta({ minLength: 2 });

/** The id of a user in the authentication system of the caller: 1 to 256 visible ASCII characters. */
export const userIdField = z
  .string()
  .regex(/^[\x21-\x7e]{1,256}$/, 'Expected 1 to 256 visible ASCII characters')
  // URL parsers resolve these path segments, so a path with such an id leads to another route.
  .refine((id) => id !== '.' && id !== '..', 'Must not be . or ..')
  .meta({ description: 'User id', examples: ['did:example:ann'] });

/** An address of at most 2,048 characters. */
export const webUrlField = nameField(2048).refine(
  (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
  'Expected an http or https address',
);

/** Every member may read this address: it has no user, password, query and fragment. */
export const plainUrlField = webUrlField.refine((text) => {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username + password === '' && !/[?#]/.test(text);
}, 'Must not contain a user, password, query or fragment');

/**
 * PEM (RFC 7468) of at most 65,536 characters. Only complete blocks with this label are valid, so that a field for
 * certificates cannot contain a private key.
 */
export function pemField(label: RegExp) {
  const block = `-----BEGIN (?<label>${label.source})-----[A-Za-z0-9+/=\\s]+-----END \\k<label>-----`;
  const blocks = new RegExp(`^\\s*(?:${block}\\s*)+$`);
  return textField(65_536).refine(
    (text) => blocks.test(text),
    `Expected whole PEM blocks and nothing else: -----BEGIN ${label.source.split('|')[0]}-----`,
  );
}
