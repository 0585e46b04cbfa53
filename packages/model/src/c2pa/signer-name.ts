import type { StoredSignature } from './stored-manifest.js';

/** Who signed, for a person: the organisation of the certificate, else its common name. */
export function signerName(signature: StoredSignature | undefined): string | undefined {
  const name = signature?.issuer ?? signature?.commonName;
  return name === undefined ? undefined : visibleText(name) || undefined;
}

/**
 * Text of a stranger inside a sentence of ours: without characters that turn the direction of the text around or
 * that cannot be seen (Unicode General Category Cf), which could make it read as something else.
 */
export function visibleText(text: string): string {
  return text.replace(/\p{Cf}/gu, '').trim();
}
