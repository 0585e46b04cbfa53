import type { ManifestStore } from './manifest-store.js';
import { signerName } from './signer-name.js';
import type { StatusCode } from './status-code.js';

/** Each reason with its sentence for people. */
const SENTENCES = {
  fileAltered: 'The file was altered after it was signed.',
  partsMoved: 'The file was altered after it was signed: its parts are not where the signature expects them.',
  severalManifests: 'The file contains more than one set of Content Credentials, so none of them counts.',
  signatureMismatch: 'The signature does not match what was signed, so nobody vouches for this file.',
  unsigned: 'The Content Credentials of this file have no signature.',
  credentialsAltered: 'The Content Credentials of this file were altered or are incomplete.',
  certificateRevoked: "The signer's certificate was withdrawn, so the signature no longer counts.",
  certificateExpired:
    "The signer's certificate was not valid when the file was signed, or it has expired and no time-stamp shows when the file was signed.",
  certificateUnfit: "The signer's certificate is not fit for signing Content Credentials.",
  ingredientMismatch: 'An earlier version or a part of this file does not match its record.',
  weakAlgorithm:
    'The file is signed with an algorithm that is not secure, or that the service does not know.',
  credentialsDamaged: 'The Content Credentials of this file are damaged and cannot be read.',
  fileDamaged: 'The file is damaged, so the service cannot check its Content Credentials.',
  remote:
    'The Content Credentials of this file are stored at another address, and the service does not fetch them.',
  unchecked: 'The Content Credentials of this file could not be checked.',
} as const;

export type InvalidReason = keyof typeof SENTENCES;
export const INVALID_REASONS = Object.keys(SENTENCES) as [InvalidReason, ...InvalidReason[]];

/** The first match determines the reason, so the most serious codes come first (C2PA 2.3 §15.2). */
const PATTERNS: readonly [pattern: RegExp, reason: InvalidReason][] = [
  [/^assertion\.(?:data|bmff|boxes|collection|multiAsset)Hash\.mismatch$/, 'fileAltered'],
  [/^assertion\.dataHash\.malformed$/, 'partsMoved'],
  [/^manifest\.(?:text|structuredText|html)\.multiple/, 'severalManifests'],
  [/^claimSignature\.mismatch$/, 'signatureMismatch'],
  [/^claimSignature\.missing$/, 'unsigned'],
  [/^assertion\.(?:hashedURI|action|missing|undeclared|inaccessible|outsideManifest)/, 'credentialsAltered'],
  [/^signingCredential\.(?:revoked|ocsp\.revoked)$/, 'certificateRevoked'],
  [/^(?:signingCredential\.expired|claimSignature\.outsideValidity)$/, 'certificateExpired'],
  [/^signingCredential\.invalid$/, 'certificateUnfit'],
  [/^ingredient\./, 'ingredientMismatch'],
  [/^algorithm\./, 'weakAlgorithm'],
];

export function sentenceOfReason(reason: InvalidReason): string {
  return SENTENCES[reason];
}

export function sentenceOfStore(store: ManifestStore, state: 'valid' | 'trusted'): string {
  const signer = signerName(store.active.signature) ?? 'somebody who is not named';
  const earlier = hasAlteredIngredient(store) ? '; content that was used in it had been altered earlier' : '';
  const doubt = doubtOfIdentity(store);
  const identity = doubt === null ? '' : `; ${sayDoubt(doubt)}`;
  const subject = isPartlyProtected(store) ? 'The protected part of this file' : 'The file';
  return `${subject} is unchanged since it was signed by ${signer}, ${standingOf(store, state)}${identity}${earlier}.`;
}

function standingOf(store: ManifestStore, state: 'valid' | 'trusted'): string {
  if (state === 'trusted' || isSignerTrusted(store)) return 'a trusted signer';
  const isUnknown = store.codes.some(
    ({ code, kind }) => kind === 'failure' && code === 'signingCredential.untrusted',
  );
  return isUnknown ? 'who is not in the list of trusted signers' : 'who could not be checked in full';
}

/** Even with a trusted signer, another problem can limit the manifest to `valid`. */
export function isSignerTrusted({ active, codes }: ManifestStore): boolean {
  const signature = `/c2pa/${active.label}/c2pa.signature`;
  const isOf = (wanted: string) =>
    codes.some(({ code, url }) => code === wanted && url?.endsWith(signature) === true);
  return isOf('signingCredential.trusted') && !isOf('signingCredential.untrusted');
}

/** Returns the doubt about an additional identity of CAWG, or null without a doubt. */
export function doubtOfIdentity({ codes }: ManifestStore): IdentityDoubt | null {
  const faults = codes.filter(({ code, kind }) => kind === 'failure' && code.startsWith('cawg.'));
  if (faults.length === 0) return null;
  return faults.every(({ code }) => code.endsWith('.untrusted')) ? 'unconfirmed' : 'invalid';
}

export type IdentityDoubt = 'unconfirmed' | 'invalid';

export function sayDoubt(doubt: IdentityDoubt): string {
  return `an additional identity ${doubt === 'unconfirmed' ? 'is not confirmed' : 'is invalid'}`;
}

/**
 * The hash of ISO media files may exclude the file type box and free space (C2PA 2.3 §18.7), so anybody can replace
 * these bytes.
 */
export function isPartlyProtected({ codes }: ManifestStore): boolean {
  return codes.some(({ code }) => code === 'assertion.bmffHash.match');
}

/** Returns the reason for a manifest that cannot be read, or for a damaged file. */
export function reasonOfOutcome(fault: StatusCode, holdsManifest: boolean): InvalidReason {
  if (!holdsManifest) return 'fileDamaged';
  if (fault.code === 'manifest.inaccessible') return 'remote';
  return /^(?:claimSignature|signingCredential|manifest)\./.test(fault.code)
    ? reasonOfCodes([fault])
    : 'credentialsDamaged';
}

export function reasonOfCodes(codes: readonly StatusCode[]): InvalidReason {
  const failures = codes.filter(({ kind }) => kind === 'failure');
  const found = PATTERNS.find(([pattern]) => failures.some(({ code }) => pattern.test(code)));
  return found?.[1] ?? (failures.length === 0 ? 'unchecked' : 'credentialsDamaged');
}

export function hasAlteredIngredient({ manifests }: ManifestStore): boolean {
  return [...manifests.values()].some(({ ingredients }) =>
    ingredients.some(({ codes }) => wasAltered(codes)),
  );
}

/** An untrusted signer does not count. */
export function wasAltered(codes: readonly StatusCode[]): boolean {
  return codes.some(({ code, kind }) => kind === 'failure' && !code.endsWith('.untrusted'));
}
