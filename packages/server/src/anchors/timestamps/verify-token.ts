import { createHash } from 'node:crypto';
import type { TokenFault, VerifyToken } from '@colophon/model';
import { fromBER, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import {
  BasicConstraints,
  Certificate,
  type CertificateChainValidationEngine,
  ContentInfo,
  type ExtKeyUsage,
  SignedData,
  SignedDataVerifyError,
  TSTInfo,
} from 'pkijs';

const SHA_256 = '2.16.840.1.101.3.4.2.1';
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
const BASIC_CONSTRAINTS = '2.5.29.19';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const MAX_ISSUER_SEARCHES = 32;
/** The code of SignedDataVerifyError when the certificate has no valid chain. */
const NO_CHAIN = 5;

/** The signature is not verified. */
interface ParsedToken {
  signedData: SignedData;
  info: TSTInfo;
}

class TokenError extends Error {
  readonly code: TokenFault;

  constructor(code: TokenFault) {
    super(code);
    this.name = 'TokenError';
    this.code = code;
  }
}

/** Throws when the text has no certificate, or when a certificate is invalid. */
export function parseCertificates(pem: string): Certificate[] {
  const blocks = pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g);
  const found = [...blocks].map(([, text = '']) => Certificate.fromBER(Buffer.from(text, 'base64')));
  if (found.length > 0) return found;
  throw new Error('The PEM text contains no certificate.');
}

/**
 * The chain of the signer's certificate must end at one of `anchors`, and be valid at the time in the token. Without
 * `anchors`, the chain is not checked.
 */
export function createVerifyToken(anchors: readonly Certificate[] | undefined): VerifyToken {
  return async (token, data) => {
    try {
      const parsed = parseToken(token);
      const { info } = parsed;
      if (info.messageImprint.hashAlgorithm.algorithmId !== SHA_256) throw new TokenError('otherImprint');
      const imprint = Buffer.from(info.messageImprint.hashedMessage.valueBlock.valueHexView);
      if (!imprint.equals(createHash('sha256').update(data).digest())) throw new TokenError('otherImprint');
      const signer = await verifySignature(parsed, data, anchors);
      assertUsage(signer);
      return { verified: true, time: info.genTime.toISOString(), authority: nameOf(signer) };
    } catch (error) {
      if (error instanceof TokenError) return { verified: false, code: error.code };
      throw error;
    }
  };
}

/** The token must have one signer, and its signed attributes must contain the content type (RFC 3161 §2.4.2). */
function parseToken(token: Uint8Array): ParsedToken {
  try {
    const { result, offset } = fromBER(new Uint8Array(token));
    if (offset !== token.length) throw new TokenError('malformedToken');
    const content = new ContentInfo({ schema: result });
    const signedData = new SignedData({ schema: content.content });
    const { encapContentInfo, signerInfos } = signedData;
    const [signer] = signerInfos;
    const types = signer?.signedAttrs?.attributes.filter(({ type }) => type === CONTENT_TYPE) ?? [];
    const [type] = types[0]?.values ?? [];
    const isSound =
      content.contentType === SIGNED_DATA &&
      encapContentInfo.eContentType === TST_INFO &&
      signerInfos.length === 1 &&
      types.length === 1 &&
      type instanceof ObjectIdentifier &&
      type.valueBlock.toString() === TST_INFO;
    if (!isSound || encapContentInfo.eContent === undefined) throw new TokenError('malformedToken');
    return { signedData, info: TSTInfo.fromBER(Buffer.from(encapContentInfo.eContent.getValue())) };
  } catch {
    throw new TokenError('malformedToken');
  }
}

/** Verifies the signature, and the chain if there are `anchors`. Returns the certificate of the signer. */
async function verifySignature(
  { signedData }: ParsedToken,
  data: Uint8Array,
  anchors: readonly Certificate[] | undefined,
): Promise<Certificate> {
  try {
    const { signatureVerified, signerCertificate, certificatePath } = await signedData.verify({
      signer: 0,
      data: new Uint8Array(data).buffer,
      checkChain: anchors !== undefined,
      trustedCerts: [...(anchors ?? [])],
      extendedMode: true,
      findIssuer: createFindIssuer(),
    });
    if (!signatureVerified || !signerCertificate) throw new TokenError('badTokenSignature');
    if (!isNamed(signedData, signerCertificate)) throw new TokenError('badTokenSignature');
    if (!hasPermittedLength(certificatePath)) throw new TokenError('untrustedAuthority');
    return signerCertificate;
  } catch (error) {
    if (error instanceof SignedDataVerifyError && error.code === NO_CHAIN)
      throw new TokenError('untrustedAuthority');
    if (error instanceof TokenError) throw error;
    throw new TokenError('badTokenSignature');
  }
}

/** Without a limit, the search for issuers never ends when two certificates have issued each other. */
function createFindIssuer() {
  let searches = 0;
  return async (
    certificate: Certificate,
    engine: CertificateChainValidationEngine,
  ): Promise<Certificate[]> =>
    ++searches > MAX_ISSUER_SEARCHES ? [] : engine.defaultFindIssuer(certificate, engine);
}

/**
 * Whether the chain meets the path length constraints of its issuers (RFC 5280 §4.2.1.9). The library does not check
 * them. Self-issued certificates do not count.
 */
function hasPermittedLength(path: readonly Certificate[]): boolean {
  const authorities = path.slice(1);
  return authorities.every((authority, place) => {
    const below = authorities
      .slice(0, place)
      .filter(({ subject, issuer }) => !subject.isEqual(issuer)).length;
    const constraints = authority.extensions?.find(({ extnID }) => extnID === BASIC_CONSTRAINTS)?.parsedValue;
    const limit = constraints instanceof BasicConstraints ? constraints.pathLenConstraint : undefined;
    return typeof limit !== 'number' || below <= limit;
  });
}

/** Whether the signed attributes name this certificate (RFC 5816 §2.2.1, RFC 5035 §5.4). */
function isNamed({ signerInfos }: SignedData, certificate: Certificate): boolean {
  const attributes = signerInfos[0]?.signedAttrs?.attributes ?? [];
  const named = attributes.find(
    ({ type }) => type === SIGNING_CERTIFICATE_V2 || type === SIGNING_CERTIFICATE,
  );
  const first = firstOf(firstOf(named?.values[0]));
  if (named === undefined || !(first instanceof Sequence)) return false;
  const [algorithm] = first.valueBlock.value;
  const isV1 = named.type === SIGNING_CERTIFICATE;
  const hash = first.valueBlock.value.find((part) => part instanceof OctetString);
  if (!isV1 && algorithm instanceof Sequence && oidOf(firstOf(algorithm)) !== SHA_256) return false;
  const bytes = Buffer.from(certificate.toSchema().toBER());
  const expected = createHash(isV1 ? 'sha1' : 'sha256')
    .update(bytes)
    .digest();
  return hash !== undefined && expected.equals(Buffer.from(hash.getValue()));
}

function firstOf(value: unknown): unknown {
  return value instanceof Sequence ? value.valueBlock.value[0] : undefined;
}

function oidOf(value: unknown): string | undefined {
  return value instanceof ObjectIdentifier ? value.valueBlock.toString() : undefined;
}

/** The certificate must have a critical extended key usage with time-stamping as its only purpose (RFC 3161 §2.3). */
function assertUsage({ extensions = [] }: Certificate): void {
  const usage = extensions.find(({ extnID }) => extnID === EXTENDED_KEY_USAGE);
  const { keyPurposes = [] } = (usage?.parsedValue ?? {}) as Partial<ExtKeyUsage>;
  if (usage?.critical === true && keyPurposes.length === 1 && keyPurposes[0] === TIME_STAMPING) return;
  throw new TokenError('wrongUsage');
}

/** Returns the last common name of the subject, or else the serial number of the certificate in hex. */
function nameOf({ subject, serialNumber }: Certificate): string {
  const name = subject.typesAndValues.findLast(({ type }) => type === '2.5.4.3');
  return String(
    name?.value.valueBlock.value ?? Buffer.from(serialNumber.valueBlock.valueHexView).toString('hex'),
  );
}
