import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { readDer } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { SigningAlgorithm } from '../media-engine.js';
import { findAlgorithm, toKeyKind } from './algorithms.js';
import { readCertificates, readExtensions } from './certificate.js';
import { SIGNING_USAGES } from './key-usages.js';

const ANY_USAGE = '2.5.29.37.0';
const KEY_USAGE = '551d0f';
const AUTHORITY_KEY_ID = '551d23';
const DIGITAL_SIGNATURE = 0x80;
const MIN_RSA_BITS = 2048;
/** The main thread signs. With a key of this length, a signature takes some milliseconds. */
const MAX_RSA_BITS = 4096;
/** The time of a verification grows with the length of the exponent. Nearly all keys have the exponent 65537. */
const MAX_RSA_EXPONENT = 2n ** 32n;
const ISSUER_KEYS = `use P-256, P-384, P-521, Ed25519, or RSA of at most ${MAX_RSA_BITS} bits with an exponent of at most 2^32`;
/** Maximum length of a chain, because the main thread checks each signature. */
export const MAX_CHAIN = 10;

export interface CheckedSigner {
  key: KeyObject;
  /** The signer's certificate comes first. */
  certificates: X509Certificate[];
  /** The default algorithm of the key; an RSA key may also use the other RSA algorithms. */
  algorithm: SigningAlgorithm;
}

type SignerProblem = { of: 'certificate' | 'key'; message: string };

/** Names of the request fields, and an adjective for messages about them. */
interface SignerNames {
  certificate: string;
  key: string;
  adjective: string;
}

const OF_SIGNER: SignerNames = {
  certificate: 'signingCertificate',
  key: 'signingKey',
  adjective: 'signing',
};

/** An identity is a second signer beside the claim signer. */
export const OF_IDENTITY: SignerNames = {
  certificate: 'identity.certificate',
  key: 'identity.key',
  adjective: 'identity’s',
};

/**
 * Finds faults for which a validator would reject the signatures (C2PA 2.2 §14.5.1). Does not check trust or
 * revocation. Throws `ValidationError` with all problems. No message contains a part of the key.
 */
export function checkSigner(
  { certificatePem, privateKeyPem }: { certificatePem: string; privateKeyPem: string },
  now: Date,
  names = OF_SIGNER,
): CheckedSigner {
  const certificates = readCertificates(certificatePem);
  const key = readPrivateKey(privateKeyPem);
  const [leaf] = certificates ?? [];
  if (certificates === undefined || leaf === undefined || typeof key === 'string')
    throw toRefusal(names, [
      ...(leaf === undefined ? [aboutCertificate('is not a PEM certificate')] : []),
      ...(typeof key === 'string' ? [aboutKey(key)] : []),
    ]);
  const algorithm = findAlgorithm(toKeyKind(key));
  const faults = [
    ...keyFaults(key),
    ...pairFaults(leaf, key),
    ...profileFaults(leaf),
    ...chainFaults(certificates, now),
  ];
  if (algorithm === undefined || faults.length > 0) throw toRefusal(names, faults);
  return { key, certificates, algorithm };
}

export function readPrivateKey(pem: string): KeyObject | string {
  if (!/-----BEGIN (EC |RSA |ENCRYPTED )?PRIVATE KEY-----/.test(pem)) return 'is not a PEM private key';
  if (/ENCRYPTED/.test(pem)) return 'is encrypted; send it without a passphrase';
  try {
    return createPrivateKey(pem);
  } catch {
    return 'is not a PEM private key that can be read'; // the cause is dropped, because it might quote the key
  }
}

function keyFaults(key: KeyObject): SignerProblem[] {
  const kind = toKeyKind(key);
  if (findAlgorithm(kind) === undefined)
    return [aboutKey(`is of an unsupported kind (${kind}); use P-256, P-384, P-521, RSA or Ed25519`)];
  if (kind !== 'RSA') return [];
  const { modulusLength: bits = 0 } = key.asymmetricKeyDetails ?? {};
  if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS)
    return [aboutKey(`is an RSA key of ${bits} bits; use ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits`)];
  return hasLargeExponent(key) || hasLargePart(key)
    ? [
        aboutKey(
          `is an RSA key with a part that is too large; the maximum is ${MAX_RSA_BITS} bits, and 2^32 for the public exponent`,
        ),
      ]
    : [];
}

/**
 * True for the keys that a signer may have. With other keys, such as DSA of 8192 bits or binary curves, a verification
 * can take milliseconds to seconds.
 */
export function isQuickToVerify(key: KeyObject): boolean {
  const kind = key.asymmetricKeyType === 'rsa-pss' ? 'RSA' : toKeyKind(key);
  if (findAlgorithm(kind) === undefined || hasLargeExponent(key)) return false;
  return (key.asymmetricKeyDetails?.modulusLength ?? 0) <= MAX_RSA_BITS;
}

/** With a larger exponent, a verification can take seconds. */
function hasLargeExponent(key: KeyObject): boolean {
  return (key.asymmetricKeyDetails?.publicExponent ?? 0n) > MAX_RSA_EXPONENT;
}

/** OpenSSL accepts a key with a large part. With 60,000 bits, a signature takes minutes. */
function hasLargePart(key: KeyObject): boolean {
  return Object.values(key.export({ format: 'jwk' })).some(
    (part) => typeof part === 'string' && Buffer.from(part, 'base64url').length > MAX_RSA_BITS / 8,
  );
}

function pairFaults(leaf: X509Certificate, key: KeyObject): SignerProblem[] {
  return leaf.checkPrivateKey(key) ? [] : [aboutKey('does not belong to the certificate')];
}

function profileFaults(leaf: X509Certificate): SignerProblem[] {
  const extensions = readExtensions(leaf);
  const faults = usageFaults(leaf.keyUsage);
  if (leaf.ca)
    faults.push(
      aboutCertificate(
        'belongs to a certificate authority; sign with a certificate that the authority issued',
      ),
    );
  if (leaf.issuer === leaf.subject) faults.push(aboutCertificate('is self-signed'));
  if (!maySign(extensions.get(KEY_USAGE)))
    faults.push(aboutCertificate('lacks the key usage digitalSignature'));
  if (!extensions.has(AUTHORITY_KEY_ID)) faults.push(aboutCertificate('lacks an authority key identifier'));
  return faults;
}

function usageFaults(usages: string[] | undefined): SignerProblem[] {
  if (usages === undefined || usages.length === 0)
    return [aboutCertificate('lacks an extended key usage; e-mail protection or document signing is needed')];
  if (usages.includes(ANY_USAGE))
    return [aboutCertificate('has the extended key usage "any", which is not allowed')];
  if (usages.some((usage) => SIGNING_USAGES.includes(usage))) return [];
  return [
    aboutCertificate(
      `has the wrong extended key usage (${usages.join(', ')}); e-mail protection or document signing is needed`,
    ),
  ];
}

/** The value is a BIT STRING: the count of unused bits, then the bits (RFC 5280 §4.2.1.3). */
function maySign(keyUsage: Uint8Array | undefined): boolean {
  const bits = readDer(keyUsage ?? new Uint8Array())?.[0]?.content[1] ?? 0;
  return (bits & DIGITAL_SIGNATURE) !== 0;
}

function chainFaults(certificates: X509Certificate[], now: Date): SignerProblem[] {
  if (certificates.length > MAX_CHAIN)
    return [
      aboutCertificate(`has a chain of ${certificates.length} certificates; the maximum is ${MAX_CHAIN}`),
    ];
  return certificates.flatMap((certificate, index) => {
    const which = index === 0 ? '' : ` (number ${index + 1} of the chain)`;
    const issuer = certificates[index + 1];
    const faults: SignerProblem[] = [];
    if (now < new Date(certificate.validFrom))
      faults.push(aboutCertificate(`is not valid before ${certificate.validFrom}${which}`));
    if (now > new Date(certificate.validTo))
      faults.push(aboutCertificate(`expired on ${certificate.validTo}${which}`));
    if (issuer !== undefined && !isQuickToVerify(issuer.publicKey))
      faults.push(
        aboutCertificate(
          `has an issuer with an unsupported key${which}; ${ISSUER_KEYS}. If the issuer is the root, leave it out of the chain`,
        ),
      );
    else if (issuer !== undefined && !certificate.verify(issuer.publicKey))
      faults.push(aboutCertificate(`was not issued by the next certificate of the chain${which}`));
    return faults;
  });
}

function aboutCertificate(fault: string): SignerProblem {
  return { of: 'certificate', message: fault };
}

function aboutKey(fault: string): SignerProblem {
  return { of: 'key', message: fault };
}

function toRefusal(names: SignerNames, faults: SignerProblem[]): ServiceError {
  const details = faults.map(({ of, message }) => ({
    path: names[of],
    message: `The ${names.adjective} ${of} ${message}.`,
  }));
  return new ServiceError('ValidationError', details.map(({ message }) => message).join(' '), { details });
}
