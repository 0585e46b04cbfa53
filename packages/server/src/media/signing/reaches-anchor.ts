import { readCertificates } from './certificate.js';

/** Whether a certificate of the chain is one of the anchors, or was issued by one. */
export function reachesAnchor(certificatePem: string, anchorsPem: string | undefined): boolean {
  const chain = readCertificates(certificatePem) ?? [];
  const anchors = readCertificates(anchorsPem ?? '') ?? [];
  return chain.some((certificate) =>
    anchors.some(
      (anchor) =>
        certificate.fingerprint256 === anchor.fingerprint256 ||
        (certificate.checkIssued(anchor) && certificate.verify(anchor.publicKey)),
    ),
  );
}
