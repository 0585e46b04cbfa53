import { readCertificates } from './certificate.js';
import { isQuickToVerify, MAX_CHAIN } from './check-signer.js';

/** Maximum number of verifications on the main thread. A usual chain needs one. */
const MAX_VERIFICATIONS = 16;

/** Considers only the first 10 certificates of the chain, and only issuers whose signatures are quick to verify. */
export function reachesAnchor(certificatePem: string, anchorsPem: string | undefined): boolean {
  const chain = (readCertificates(certificatePem) ?? []).slice(0, MAX_CHAIN);
  const anchors = readCertificates(anchorsPem ?? '') ?? [];
  const known = new Set(anchors.map(({ fingerprint256 }) => fingerprint256));
  if (chain.some(({ fingerprint256 }) => known.has(fingerprint256))) return true;
  const pairs = chain.flatMap((certificate) =>
    anchors.filter((anchor) => certificate.checkIssued(anchor)).map((anchor) => ({ certificate, anchor })),
  );
  return pairs.slice(0, MAX_VERIFICATIONS).some(({ certificate, anchor: { publicKey } }) => {
    return isQuickToVerify(publicKey) && certificate.verify(publicKey);
  });
}
