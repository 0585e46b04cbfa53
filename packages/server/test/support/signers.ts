import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Issuer, issueCertificate } from '../../src/media/signing/issue-certificate.js';

export const DOCUMENT_SIGNING = '1.3.6.1.5.5.7.3.36';
const DAY_MS = 86_400_000;

/** Issues the certificates of all signers that name no other issuer. */
export const authority: Issuer = { name: 'Authority of the tests', ...makeKeys('P-256') };

export const trustAnchorPem = toAnchor(authority);

/** The authority of people who add their identity (CAWG) to a file that another party signs. */
export const authorityForPeople: Issuer = { name: 'Authority for people', ...makeKeys('P-256') };

export const peopleAnchorPem = toAnchor(authorityForPeople);

function toAnchor(of: Issuer): string {
  return issueCertificate(of, {
    subject: of.name,
    publicKey: of.publicKey,
    validFrom: new Date(Date.now() - DAY_MS),
    validTo: new Date(Date.now() + 1000 * DAY_MS),
    isAuthority: true,
  });
}

export type KeyKind =
  | 'P-256'
  | 'P-384'
  | 'P-521'
  | 'secp256k1'
  | 'RSA 1024'
  | 'RSA 2048'
  | 'RSA 4104'
  | 'Ed25519'
  | 'X25519';

export function makeKeys(kind: KeyKind): { publicKey: KeyObject; privateKey: KeyObject } {
  if (kind === 'Ed25519') return generateKeyPairSync('ed25519');
  if (kind === 'X25519') return generateKeyPairSync('x25519');
  const [family, bits] = kind.split(' ');
  if (family === 'RSA') return generateKeyPairSync('rsa', { modulusLength: Number(bits) });
  return generateKeyPairSync('ec', { namedCurve: kind });
}

export function toPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

interface Wanted {
  kind?: KeyKind;
  validFrom?: Date;
  validTo?: Date;
  extendedKeyUsages?: string[];
  isAuthority?: boolean;
  subject?: string;
  issuer?: Issuer;
}

/** The certificate is valid for C2PA. The options replace the valid defaults. */
export function makeSigner({ kind = 'P-256', issuer = authority, ...wanted }: Wanted = {}) {
  const { publicKey, privateKey } = makeKeys(kind);
  const certificatePem = issueCertificate(issuer, {
    subject: 'Signer of the tests',
    publicKey,
    validFrom: new Date(Date.now() - DAY_MS),
    validTo: new Date(Date.now() + DAY_MS),
    extendedKeyUsages: [DOCUMENT_SIGNING],
    ...wanted,
  });
  return { certificatePem, privateKeyPem: toPem(privateKey) };
}
