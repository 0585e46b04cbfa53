import type { KeyObject } from 'node:crypto';
import type { SigningAlgorithm } from '../media-engine.js';

interface AlgorithmEntry {
  /** Number of the algorithm in COSE (RFC 9053, RFC 8230). */
  coseId: number;
  /** Digest to sign; null for Ed25519, which hashes the message itself. */
  digest: string | null;
  /** Kind of key, as `toKeyKind` names it. */
  keyKind: string;
}

/** The signature algorithms of C2PA 2.2 §13.2. */
export const SIGNING_ALGORITHMS: Readonly<Record<SigningAlgorithm, AlgorithmEntry>> = {
  es256: { coseId: -7, digest: 'sha256', keyKind: 'P-256' },
  es384: { coseId: -35, digest: 'sha384', keyKind: 'P-384' },
  es512: { coseId: -36, digest: 'sha512', keyKind: 'P-521' },
  ps256: { coseId: -37, digest: 'sha256', keyKind: 'RSA' },
  ps384: { coseId: -38, digest: 'sha384', keyKind: 'RSA' },
  ps512: { coseId: -39, digest: 'sha512', keyKind: 'RSA' },
  ed25519: { coseId: -8, digest: null, keyKind: 'Ed25519' },
};

const CURVES: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

/** For messages: `P-256`, `RSA`, `Ed25519`, or another kind that no algorithm uses. */
export function toKeyKind(key: KeyObject): string {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'ec') return CURVES[details?.namedCurve ?? ''] ?? `curve ${details?.namedCurve ?? 'unknown'}`;
  if (type === 'rsa') return 'RSA';
  if (type === 'ed25519') return 'Ed25519';
  return type ?? 'unknown';
}

/** The default algorithm; undefined when no algorithm uses this kind of key. */
export function findAlgorithm(keyKind: string): SigningAlgorithm | undefined {
  const names = Object.keys(SIGNING_ALGORITHMS) as SigningAlgorithm[];
  return names.find((name) => SIGNING_ALGORITHMS[name].keyKind === keyKind);
}
