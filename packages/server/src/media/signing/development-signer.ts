import { generateKeyPairSync } from 'node:crypto';
import { issueCertificate } from './issue-certificate.js';

const HOUR_MS = 3_600_000;
const VALID_DAYS = 825;
const DOCUMENT_SIGNING = '1.3.6.1.5.5.7.3.36';
const EMAIL_PROTECTION = '1.3.6.1.5.5.7.3.4';

/** A signer outside every trust list. Its files are `valid`, with an unknown signer. */
export interface DevelopmentSigner {
  certificatePem: string;
  privateKeyPem: string;
  /** A program with this trust anchor trusts the signer. */
  trustAnchorPem: string;
}

/** Both certificates are valid for 825 days, from an hour before `now`. The key of the authority is discarded. */
export function createDevelopmentSigner(now = new Date()): DevelopmentSigner {
  const authority = { name: 'Colophon development authority', ...createKeys() };
  const signer = createKeys();
  const validFrom = new Date(now.getTime() - HOUR_MS);
  const validTo = new Date(validFrom.getTime() + VALID_DAYS * 24 * HOUR_MS);
  return {
    certificatePem: issueCertificate(authority, {
      subject: 'Colophon development signer',
      publicKey: signer.publicKey,
      validFrom,
      validTo,
      extendedKeyUsages: [DOCUMENT_SIGNING, EMAIL_PROTECTION],
    }),
    privateKeyPem: signer.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    trustAnchorPem: issueCertificate(authority, {
      subject: authority.name,
      publicKey: authority.publicKey,
      validFrom,
      validTo,
      isAuthority: true,
    }),
  };
}

function createKeys() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}
