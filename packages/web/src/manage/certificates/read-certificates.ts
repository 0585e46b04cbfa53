import { type DerElement, fromBase64, readDer } from '@colophon/model';

/** Shown values of an X.509 certificate (RFC 5280 §4.1). */
export interface CertificateFacts {
  pem: string;
  /** Undefined when the page cannot read the certificate. */
  read: { subject: string; issuer: string; validFrom: Date; validTo: Date } | undefined;
}

const PEM_BLOCK = /-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/g;

/** Object identifiers of a distinguished name, in hex. */
const COMMON_NAME = '550403';
const ORGANISATION = '55040a';

const UTC_TIME = 0x17;
const VERSION = 0xa0;
const BMP_STRING = 0x1e;

/** Keeps the order. Verifies nothing. */
export function readCertificates(pem: string): CertificateFacts[] {
  return [...pem.matchAll(PEM_BLOCK)].map(([block, base64 = '']) => ({
    pem: block,
    read: readCertificate(fromBase64(base64.replace(/\s/g, '')) ?? new Uint8Array()),
  }));
}

/** Lines can have different lengths. */
export function isSamePem(one: string, other: string | undefined): boolean {
  return one.replace(/\s/g, '') === other?.replace(/\s/g, '');
}

/**
 * Adds the certificates that the list lacks. A text without certificates is added as it is, so that the service
 * explains why it rejects it.
 */
export function addCertificates(list: readonly string[], text: string): string[] {
  const blocks = readCertificates(text).map(({ pem }) => pem);
  if (blocks.length === 0) return [...list, text.trim()];
  const all = [...list];
  for (const block of blocks) if (!all.some((pem) => isSamePem(pem, block))) all.push(block);
  return all;
}

function readCertificate(bytes: Uint8Array): CertificateFacts['read'] {
  const [certificate] = readDer(bytes) ?? [];
  const [body] = partsOf(certificate);
  const parts = partsOf(body);
  const [, , issuer, validity, subject] = parts[0]?.tag === VERSION ? parts.slice(1) : parts;
  const [validFrom, validTo] = partsOf(validity).map(readTime);
  if (validFrom === undefined || validTo === undefined) return undefined;
  return { subject: readName(subject), issuer: readName(issuer), validFrom, validTo };
}

function partsOf(element: DerElement | undefined): DerElement[] {
  return readDer(element?.content ?? new Uint8Array()) ?? [];
}

/** Returns the common name and the organisation, or an empty text. */
function readName(name: DerElement | undefined): string {
  const values = new Map<string, string>();
  for (const attribute of partsOf(name).flatMap(partsOf)) {
    const [id, value] = partsOf(attribute);
    if (id !== undefined && value !== undefined) values.set(toHex(id.content), readText(value));
  }
  const named = [values.get(COMMON_NAME), values.get(ORGANISATION)];
  return [...new Set(named.filter((value) => value !== undefined && value !== ''))].join(', ');
}

function readText({ tag, content }: DerElement): string {
  return new TextDecoder(tag === BMP_STRING ? 'utf-16be' : 'utf-8').decode(content);
}

/** Reads a UTCTime or a GeneralizedTime (RFC 5280 §4.1.2.5). */
function readTime({ tag, content }: DerElement): Date | undefined {
  const text = new TextDecoder().decode(content);
  const century = Number(text.slice(0, 2)) < 50 ? '20' : '19';
  const [, ...digits] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(tag === UTC_TIME ? `${century}${text}` : text) ?? [];
  const [year, month, day, hours, minutes, seconds] = digits;
  const time = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const DAY_MS = 86_400_000;
/** Days of warning before a certificate expires. */
const SOON_DAYS = 30;

/** `daysLeft`: days until the certificate expires, rounded up. */
export function stateOfCertificate(
  { validFrom, validTo }: NonNullable<CertificateFacts['read']>,
  nowMs: number,
): { state: 'early' | 'valid' | 'soon' | 'expired'; daysLeft: number } {
  const daysLeft = Math.ceil((validTo.getTime() - nowMs) / DAY_MS);
  if (nowMs < validFrom.getTime()) return { state: 'early', daysLeft };
  if (nowMs > validTo.getTime()) return { state: 'expired', daysLeft };
  return { state: daysLeft <= SOON_DAYS ? 'soon' : 'valid', daysLeft };
}
