import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { fromBase64, toBase64 } from '../base64.js';
import { canonicalJson, type JsonValue } from '../canonical-json.js';
import type { NoteSigner } from '../log/signed-note.js';
import { dssePae } from '../proofs/dsse.js';
import type { VerifySignature } from '../proofs/signature.js';
import {
  type DetectionFacts,
  type DetectionReport,
  detectionFactsSchema,
  detectionReportSchema,
} from './detection.js';

/** Media type of the payload of a detection report. */
export const DETECTION_TYPE = 'application/vnd.colophon.detection.v1+json';

/** The result of the verification of a detection report. */
export type DetectionVerdict =
  | { verified: true; facts: DetectionFacts }
  | { verified: false; reason: 'malformed' | 'untrustedKey' | 'badSignature' };

/** Signs the facts as a DSSE v1 envelope. The payload is canonical JSON (RFC 8785). */
export function signDetection(facts: DetectionFacts, signer: NoteSigner): DetectionReport {
  const payload = canonicalJson(JSON.parse(JSON.stringify(facts)) as JsonValue);
  const sig = toBase64(hexToBytes(signer.sign(dssePae(DETECTION_TYPE, payload))));
  return {
    payloadType: DETECTION_TYPE,
    payload: toBase64(new TextEncoder().encode(payload)),
    signatures: [{ keyid: signer.publicKeyHex, sig }],
  };
}

/**
 * Verifies a detection report with the public key of a service, 32 bytes from a trusted source. The report states
 * the findings of this service at `detectedAt`. It does not prove that the statements in the marks are true.
 *
 * @example
 * const publicKey = new Uint8Array(32);
 * verifyDetection({}, { publicKey, verify: () => true }); // => { verified: false, reason: 'malformed' }
 */
export function verifyDetection(
  report: unknown,
  { publicKey, verify }: { publicKey: Uint8Array; verify: VerifySignature },
): DetectionVerdict {
  const { data: envelope } = detectionReportSchema.safeParse(report);
  const bytes = envelope && fromBase64(envelope.payload);
  if (envelope?.payloadType !== DETECTION_TYPE || bytes === undefined)
    return { verified: false, reason: 'malformed' };
  const keyid = bytesToHex(publicKey);
  const own = envelope.signatures.filter((signature) => signature.keyid === keyid);
  if (own.length === 0) return { verified: false, reason: 'untrustedKey' };
  const payload = readUtf8(bytes);
  if (payload === undefined) return { verified: false, reason: 'malformed' };
  const message = new TextEncoder().encode(dssePae(DETECTION_TYPE, payload));
  const isSound = own.every(({ sig }) => verify(publicKey, message, fromBase64(sig) ?? new Uint8Array()));
  if (!isSound) return { verified: false, reason: 'badSignature' };
  const facts = readFacts(payload);
  return facts === undefined ? { verified: false, reason: 'malformed' } : { verified: true, facts };
}

/** Keeps a byte order mark, so that encoding the result gives the same bytes. */
function readUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // not UTF-8, so not a report
  }
}

function readFacts(payload: string): DetectionFacts | undefined {
  try {
    return detectionFactsSchema.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined; // not JSON, so not a report
  }
}
