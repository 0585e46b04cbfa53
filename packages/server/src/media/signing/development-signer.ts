import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { der, derInteger, derOid, derSequence, TAG } from './der.js';

const DAY_MS = 86_400_000;
const VALID_DAYS = 825;
const OID = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  documentSigning: '1.3.6.1.5.5.7.3.36',
  emailProtection: '1.3.6.1.5.5.7.3.4',
};

/** A signer that nobody trusts: its files read as valid, by an unknown signer. */
export interface DevelopmentSigner {
  certificatePem: string;
  privateKeyPem: string;
  /** The local authority's certificate; whoever adds it to their trust anchors trusts this signer. */
  trustAnchorPem: string;
}

/**
 * Makes a local authority and a P-256 signer that it issued, both valid from an hour before `now` for 825 days.
 * The authority's key is forgotten at once: it signs nothing else.
 */
export function createDevelopmentSigner(now = new Date()): DevelopmentSigner {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name: 'Colophon development authority', ...authority };
  const authorityKeyId = extension(OID.authorityKeyId, derSequence(der(0x80, toKeyId(authority.publicKey))));
  const root = issue(issuer, {
    name: issuer.name,
    publicKey: authority.publicKey,
    now,
    extensions: [
      extension(OID.basicConstraints, derSequence(der(TAG.boolean, Uint8Array.of(0xff))), true),
      extension(OID.keyUsage, der(TAG.bitString, Uint8Array.of(1, 0x06)), true),
      extension(OID.subjectKeyId, der(TAG.octetString, toKeyId(authority.publicKey))),
    ],
  });
  const leaf = issue(issuer, {
    name: 'Colophon development signer',
    publicKey: signer.publicKey,
    now,
    extensions: [
      extension(OID.basicConstraints, derSequence(), true),
      extension(OID.keyUsage, der(TAG.bitString, Uint8Array.of(7, 0x80)), true),
      extension(OID.extendedKeyUsage, derSequence(derOid(OID.documentSigning), derOid(OID.emailProtection))),
      extension(OID.subjectKeyId, der(TAG.octetString, toKeyId(signer.publicKey))),
      authorityKeyId,
    ],
  });
  return {
    certificatePem: toPem(leaf),
    privateKeyPem: signer.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    trustAnchorPem: toPem(root),
  };
}

interface Subject {
  name: string;
  publicKey: KeyObject;
  now: Date;
  extensions: Buffer[];
}

/** A certificate of version 3 (RFC 5280 §4.1), signed with ECDSA and SHA-256. */
function issue(issuer: { name: string; privateKey: KeyObject }, subject: Subject): Buffer {
  const algorithm = derSequence(derOid(OID.ecdsaWithSha256));
  const from = subject.now.getTime() - DAY_MS / 24;
  const body = derSequence(
    der(0xa0, derInteger(Uint8Array.of(2))),
    derInteger(Uint8Array.of(0x40, ...randomBytes(15))),
    algorithm,
    toName(issuer.name),
    derSequence(toTime(from), toTime(from + VALID_DAYS * DAY_MS)),
    toName(subject.name),
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, derSequence(...subject.extensions)),
  );
  const signature = sign('sha256', body, issuer.privateKey);
  return derSequence(body, algorithm, der(TAG.bitString, Uint8Array.of(0), signature));
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [der(TAG.boolean, Uint8Array.of(0xff))] : [];
  return derSequence(derOid(id), ...critical, der(TAG.octetString, value));
}

function toName(commonName: string): Buffer {
  const attribute = (id: string, text: string) =>
    der(TAG.set, derSequence(derOid(id), der(TAG.utf8String, Buffer.from(text))));
  return derSequence(
    attribute(OID.organization, 'Colophon development'),
    attribute(OID.commonName, commonName),
  );
}

/** GeneralizedTime, which RFC 5280 §4.1.2.5 asks for from 2050 on, UTCTime before. */
function toTime(timeMs: number): Buffer {
  const digits = new Date(timeMs).toISOString().replace(/[-:T]|\.\d+/g, '');
  const isLate = digits >= '2050';
  return der(isLate ? TAG.generalizedTime : 0x17, Buffer.from(isLate ? digits : digits.slice(2)));
}

function toKeyId(publicKey: KeyObject): Buffer {
  return createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
}

function toPem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
