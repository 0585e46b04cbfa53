import type { ManifestStore } from './manifest-store.js';
import { signerName } from './signer-name.js';
import type { StatusCode } from './status-code.js';

/**
 * The first pattern that matches a failure determines the summary, so the patterns of the most serious codes come
 * first. The codes are those of C2PA 2.3 §15.2.
 */
const REASONS: readonly [pattern: RegExp, sentence: string][] = [
  [
    /^assertion\.(?:data|bmff|boxes|collection|multiAsset)Hash\.mismatch$/,
    'The file was altered after it was signed.',
  ],
  [
    /^assertion\.dataHash\.malformed$/,
    'The file was altered after it was signed: its parts are not where the signature expects them.',
  ],
  [
    /^manifest\.(?:text|structuredText|html)\.multiple/,
    'The file contains more than one set of Content Credentials, so that none of them counts.',
  ],
  [
    /^claimSignature\.mismatch$/,
    'The signature does not match what was signed, so that nobody vouches for this file.',
  ],
  [/^claimSignature\.missing$/, 'The Content Credentials of this file have no signature.'],
  [
    /^assertion\.(?:hashedURI|action|missing|undeclared|inaccessible|outsideManifest)/,
    'The Content Credentials of this file were altered or are incomplete.',
  ],
  [
    /^signingCredential\.(?:revoked|ocsp\.revoked)$/,
    "The signer's certificate was withdrawn, so that the signature no longer counts.",
  ],
  [
    /^(?:signingCredential\.expired|claimSignature\.outsideValidity)$/,
    "The signer's certificate had expired when the file was signed, or no time-stamp shows that it had not.",
  ],
  [/^signingCredential\.invalid$/, "The signer's certificate is not fit for signing Content Credentials."],
  [/^ingredient\./, 'An earlier version or a part of this file does not match its record.'],
  [/^algorithm\./, 'The file is signed with an algorithm that is no longer secure.'],
  [
    /^(?:claim|manifest|assertion|general|hashedURI|timeStamp)\./,
    'The Content Credentials of this file are damaged and cannot be read.',
  ],
];

const DAMAGED = 'The Content Credentials of this file are damaged and cannot be read.';

/** Returns one sentence on whether a file's manifest can be trusted. */
export function sentenceOfStore(store: ManifestStore, state: 'invalid' | 'valid' | 'trusted'): string {
  const failures = store.codes.filter(({ kind }) => kind === 'failure');
  if (state === 'invalid') return reasonOf(failures);
  const signer = signerName(store.active.signature) ?? 'somebody who is not named';
  const earlier = hasAlteredIngredient(store) ? '; content that was used in it had been altered earlier' : '';
  const doubt = doubtOfIdentity(store);
  const identity = doubt === undefined ? '' : `; ${doubt}`;
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

/** Whether the signer is trusted. Even then, another problem can limit the state of the manifest to `valid`. */
export function isSignerTrusted({ active, codes }: ManifestStore): boolean {
  const signature = `/c2pa/${active.label}/c2pa.signature`;
  const isOf = (wanted: string) =>
    codes.some(({ code, url }) => code === wanted && url?.endsWith(signature) === true);
  return isOf('signingCredential.trusted') && !isOf('signingCredential.untrusted');
}

/** Returns the problem of an additional identity (CAWG), or undefined when there is none. */
export function doubtOfIdentity({ codes }: ManifestStore): string | undefined {
  const faults = codes.filter(({ code, kind }) => kind === 'failure' && code.startsWith('cawg.'));
  if (faults.length === 0) return undefined;
  const isUnknown = faults.every(({ code }) => code.endsWith('.untrusted'));
  return `an additional identity ${isUnknown ? 'is not confirmed' : 'is invalid'}`;
}

/**
 * Whether the hash may exclude more of the file than the manifest. This is true for ISO media files: their hash may
 * exclude the file type box and free space (C2PA 2.3 §18.7). Anybody can replace the excluded bytes.
 */
export function isPartlyProtected({ codes }: ManifestStore): boolean {
  return codes.some(({ code }) => code === 'assertion.bmffHash.match');
}

/** Returns one sentence about a manifest that cannot be read, or about a damaged file. */
export function sentenceOfOutcome(fault: StatusCode, holdsManifest: boolean): string {
  if (!holdsManifest) return 'The file is damaged, so the service cannot check its Content Credentials.';
  if (fault.code === 'manifest.inaccessible') {
    return 'The Content Credentials of this file are stored at another address, and the service does not fetch them.';
  }
  return /^(?:claimSignature|signingCredential|manifest)\./.test(fault.code) ? reasonOf([fault]) : DAMAGED;
}

function reasonOf(failures: readonly StatusCode[]): string {
  for (const [pattern, sentence] of REASONS) {
    if (failures.some(({ code }) => pattern.test(code))) return sentence;
  }
  return failures.length === 0 ? 'The Content Credentials of this file could not be checked.' : DAMAGED;
}

/** Whether an ingredient in the store has a recorded failure other than an untrusted signer. */
export function hasAlteredIngredient({ manifests }: ManifestStore): boolean {
  return [...manifests.values()].some(({ ingredients }) =>
    ingredients.some(({ codes }) => wasAltered(codes)),
  );
}

/** Whether the codes contain a failure other than an untrusted signer. */
export function wasAltered(codes: readonly StatusCode[]): boolean {
  return codes.some(({ code, kind }) => kind === 'failure' && !code.endsWith('.untrusted'));
}
