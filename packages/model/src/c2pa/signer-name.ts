import type { StoredSignature } from './stored-manifest.js';

/** The signer's name for people: the organisation of the certificate, else its common name. */
export function signerName(signature: StoredSignature | undefined): string | undefined {
  const name = signature?.issuer ?? signature?.commonName;
  return name === undefined ? undefined : visibleText(name) || undefined;
}

/**
 * Text from a file inside a sentence of this service, without invisible characters and without those that change the
 * text direction (Unicode General Category Cf). Such characters could change the sentence.
 */
export function visibleText(text: string): string {
  return text.replace(/\p{Cf}/gu, '').trim();
}
