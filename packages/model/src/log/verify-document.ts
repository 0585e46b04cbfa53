import { isJsonObject } from '../canonical-json.js';
import type { VerifySignature } from '../proofs/signature.js';
import { parseStrictJson } from '../strict-json.js';
import type { VerifyOptions } from './proof-input.js';
import { type BundleReport, verifyBundle } from './verify-bundle.js';
import { type ReceiptReport, verifyReceipt } from './verify-receipt.js';
import type { TrustedLog } from './verify-signer.js';

/** The report on a document, with the format by which the document was verified. */
export type DocumentReport =
  | { format: 'receipt'; report: ReceiptReport }
  | { format: 'bundle'; report: BundleReport };

/**
 * Verifies the text or the UTF-8 bytes of a receipt or a proven bundle, by docs/spec/receipts-v1.md and
 * docs/spec/proven-bundles-v2.md. An object with a member `proof` is a bundle. For files, prefer this function to
 * `verifyReceipt` and `verifyBundle`: only this function detects unusual forms of numbers and two members of the same
 * name, which `JSON.parse` hides. Never throws for the content, and makes no requests.
 *
 * @example
 * const trusted = { publicKey: new Uint8Array(32) };
 * verifyDocument('{"version":1,"version":1}', trusted, () => true); // => { format: 'receipt', report: { verified: false, code: 'duplicateMember' } }
 */
export function verifyDocument(
  source: string | Uint8Array,
  trusted: TrustedLog,
  verify: VerifySignature,
  { strict = false }: VerifyOptions = {},
): DocumentReport {
  const parsed = parseStrictJson(source);
  if ('fault' in parsed) return { format: 'receipt', report: { verified: false, code: parsed.fault } };
  const { value, isCanonicalNumbers } = parsed;
  const format = isJsonObject(value) && Object.hasOwn(value, 'proof') ? 'bundle' : 'receipt';
  if (strict && !isCanonicalNumbers) return { format, report: { verified: false, code: 'numberText' } };
  const found: DocumentReport =
    format === 'bundle'
      ? { format, report: verifyBundle(value, trusted, verify, { strict }) }
      : { format, report: verifyReceipt(value, trusted, verify, { strict }) };
  if (found.report.verified && !isCanonicalNumbers) found.report.warnings.unshift('numberText');
  return found;
}
