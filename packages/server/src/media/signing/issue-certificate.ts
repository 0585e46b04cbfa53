import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { der, derInteger, derOid, derSequence, TAG } from './der.js';

const OID = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
};
const UTC_TIME = 0x17;
const TRUE = der(TAG.boolean, Uint8Array.of(0xff));

/** A certificate authority with a P-256 key. */
export interface Issuer {
  name: string;
  publicKey: KeyObject;
  privateKey: KeyObject;
}

export interface CertificateRequest {
  subject: string;
  publicKey: KeyObject;
  validFrom: Date;
  validTo: Date;
  /** The key of an authority signs certificates, and any other key signs content. */
  isAuthority?: boolean;
  /** Object identifiers, such as document signing or time-stamping. */
  extendedKeyUsages?: readonly string[];
}

/** Returns the PEM of a certificate of version 3 (RFC 5280 §4.1), signed with ECDSA and SHA-256. */
export function issueCertificate(issuer: Issuer, request: CertificateRequest): string {
  const algorithm = derSequence(derOid(OID.ecdsaWithSha256));
  const body = derSequence(
    der(0xa0, derInteger(Uint8Array.of(2))),
    derInteger(Uint8Array.of(0x40, ...randomBytes(15))),
    algorithm,
    toName(issuer.name),
    derSequence(toTime(request.validFrom), toTime(request.validTo)),
    toName(request.subject),
    request.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, derSequence(...toExtensions(issuer, request))),
  );
  const signature = sign('sha256', body, issuer.privateKey);
  return toPem(derSequence(body, algorithm, der(TAG.bitString, Uint8Array.of(0), signature)));
}

function toExtensions(issuer: Issuer, request: CertificateRequest): Buffer[] {
  const { isAuthority = false, extendedKeyUsages = [], publicKey } = request;
  const keyUsage = isAuthority ? Uint8Array.of(1, 0x06) : Uint8Array.of(7, 0x80);
  const usages = derSequence(...extendedKeyUsages.map(derOid));
  const authorityKeyId = derSequence(der(0x80, toKeyId(issuer.publicKey)));
  return [
    toExtension(OID.basicConstraints, isAuthority ? derSequence(TRUE) : derSequence(), TRUE),
    toExtension(OID.keyUsage, der(TAG.bitString, keyUsage), TRUE),
    toExtension(OID.subjectKeyId, der(TAG.octetString, toKeyId(publicKey))),
    ...(extendedKeyUsages.length > 0 ? [toExtension(OID.extendedKeyUsage, usages)] : []),
    ...(isAuthority ? [] : [toExtension(OID.authorityKeyId, authorityKeyId)]),
  ];
}

function toExtension(id: string, value: Buffer, critical: Buffer = Buffer.alloc(0)): Buffer {
  return derSequence(derOid(id), critical, der(TAG.octetString, value));
}

function toName(commonName: string): Buffer {
  const attribute = (id: string, text: string) =>
    der(TAG.set, derSequence(derOid(id), der(TAG.utf8String, Buffer.from(text))));
  return derSequence(
    attribute(OID.organization, 'Colophon development'),
    attribute(OID.commonName, commonName),
  );
}

/** UTCTime up to 2049, GeneralizedTime from 2050 (RFC 5280 §4.1.2.5). */
function toTime(time: Date): Buffer {
  const digits = time.toISOString().replace(/[-:T]|\.\d+/g, '');
  const isLate = time.getUTCFullYear() >= 2050;
  return der(isLate ? TAG.generalizedTime : UTC_TIME, Buffer.from(isLate ? digits : digits.slice(2)));
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
