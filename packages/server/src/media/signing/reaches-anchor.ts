import type { X509Certificate } from 'node:crypto';
import { readCertificates } from './certificate.js';
import { hasLargeExponent, MAX_CHAIN } from './check-signer.js';

/** Maximum number of signatures that a search verifies, on the main thread. Usual chains need one. */
const MAX_VERIFICATIONS = 32;
const MAX_RSA_BITS = 8192;

/**
 * Whether a certificate of the chain is one of the anchors, or was issued by one. Considers only the first 10
 * certificates of the chain, and only issuers whose signatures are quick to verify. Gives up after 32 wrong signatures.
 */
export function reachesAnchor(certificatePem: string, anchorsPem: string | undefined): boolean {
  const chain = (readCertificates(certificatePem) ?? []).slice(0, MAX_CHAIN);
  const anchors = readCertificates(anchorsPem ?? '') ?? [];
  const known = new Set(anchors.map(({ fingerprint256 }) => fingerprint256));
  if (chain.some(({ fingerprint256 }) => known.has(fingerprint256))) return true;
  const pairs = chain.flatMap((certificate) =>
    anchors.flatMap((anchor) => (mayHaveIssued(anchor, certificate) ? [{ certificate, anchor }] : [])),
  );
  return pairs
    .slice(0, MAX_VERIFICATIONS)
    .some(({ certificate, anchor }) => certificate.verify(anchor.publicKey));
}

function mayHaveIssued(anchor: X509Certificate, certificate: X509Certificate): boolean {
  if (!certificate.checkIssued(anchor) || hasLargeExponent(anchor.publicKey)) return false;
  return (anchor.publicKey.asymmetricKeyDetails?.modulusLength ?? 0) <= MAX_RSA_BITS;
}
