import type { StoredSignature } from './stored-manifest.js';

/** The organisation of the certificate, or else its common name. */
export function signerName(signature: StoredSignature | undefined): string | undefined {
  const name = signature?.issuer ?? signature?.commonName;
  return name === undefined ? undefined : visibleText(name) || undefined;
}

/**
 * Cleans text from a file for use inside a sentence of this service. Removes invisible characters and characters that
 * change the text direction (Unicode General Category Cf), because they could change how the sentence reads.
 *
 * @example
 * visibleText(' Ann\u202e '); // => 'Ann'
 */
export function visibleText(text: string): string {
  return text.replace(/\p{Cf}/gu, '').trim();
}
