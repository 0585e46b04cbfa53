import * as z from 'zod';
import { cleanText } from './lenient-fields.js';
import type { ManifestStore } from './manifest-store.js';
import { type StatusCode, statusCodeSchema } from './status-code.js';
import { sentenceOfOutcome, sentenceOfStore } from './validation-summary.js';

/** How far a file's manifest can be trusted. */
export const validationSchema = z
  .object({
    state: z.enum(['invalid', 'valid', 'trusted']).meta({
      description:
        'invalid: altered or broken. valid: unchanged since it was signed, by any signer. trusted: unchanged, and the signer is on the trust list',
    }),
    codes: z.array(statusCodeSchema),
    summary: z.string().meta({ description: 'One sentence for people that explains the state' }),
  })
  .meta({ id: 'C2paValidation' });

/** How far a file's manifest can be trusted. */
export type Validation = z.output<typeof validationSchema>;

/** The reason why an engine could not read an existing manifest: its error code and message. */
export interface EngineOutcome {
  readonly code: string;
  readonly message: string;
  /** False when the file itself is damaged and the rest contains no manifest. */
  readonly holdsManifest?: boolean;
}

/** Status codes of C2PA for the errors of c2pa-rs; any other error is `general.error` (C2PA 2.3 §15.2). */
const CODE_OF_OUTCOME: Readonly<Record<string, string>> = {
  AssertionDecoding: 'assertion.cbor.invalid',
  AssertionMissing: 'assertion.missing',
  ClaimDecoding: 'claim.cbor.invalid',
  ClaimMissing: 'claim.missing',
  ClaimMissingSignatureBox: 'claimSignature.missing',
  CoseInvalidCert: 'signingCredential.invalid',
  CoseSignature: 'claimSignature.mismatch',
  // Thrown for a signature with an unreadable outer structure, with or without a time-stamp.
  CoseTimeStampGeneration: 'claimSignature.mismatch',
  InvalidClaim: 'claim.malformed',
  ProvenanceMissing: 'claim.missing',
  RemoteManifestUrl: 'manifest.inaccessible',
};

/**
 * The verdict on a store, or on a file with an unreadable manifest, which is always `invalid`. The engine's verdict
 * is never raised, only lowered. The result is `invalid` when the engine gave no verdict, or when there is a
 * failure other than the two in the next sentence. With an unknown signer (`*.untrusted`), or with a problem of an
 * additional identity (`cawg.*`), it is at most `valid`. The codes are those of C2PA 2.3 §15.2, failures first. Of
 * an engine's message, only the address of a remote manifest is passed on.
 * @example
 * toValidation({ code: 'ClaimDecoding', message: '' }).state; // => 'invalid'
 * toValidation({ code: 'ClaimDecoding', message: '' }).summary; // => 'The Content Credentials of this file are damaged and cannot be read.'
 */
export function toValidation(read: ManifestStore | EngineOutcome): Validation {
  return 'manifests' in read ? ofStore(read) : ofOutcome(read);
}

function ofStore(store: ManifestStore): Validation {
  const state = stateOf(store);
  return { state, codes: [...store.codes], summary: sentenceOfStore(store, state) };
}

function stateOf({ engineState, codes }: ManifestStore): Validation['state'] {
  const failures = codes.filter(({ kind }) => kind === 'failure');
  const isIntact = engineState === 'Valid' || engineState === 'Trusted';
  if (!isIntact || failures.some((failure) => isFatal(failure))) return 'invalid';
  return engineState === 'Trusted' && failures.length === 0 ? 'trusted' : 'valid';
}

function isFatal({ code }: StatusCode): boolean {
  return !code.endsWith('.untrusted') && !code.startsWith('cawg.');
}

function ofOutcome({ code, message, holdsManifest = true }: EngineOutcome): Validation {
  const statusCode = (Object.hasOwn(CODE_OF_OUTCOME, code) && CODE_OF_OUTCOME[code]) || 'general.error';
  const address = /"(https?:\/\/[^"\s]{1,1000})"/.exec(message)?.[1];
  const explanation = code === 'RemoteManifestUrl' && address !== undefined ? address : code;
  const fault: StatusCode = {
    code: statusCode,
    kind: 'failure',
    explanation: cleanText(explanation, 1000) ?? 'unknown',
  };
  return { state: 'invalid', codes: [fault], summary: sentenceOfOutcome(fault, holdsManifest) };
}
