import * as z from 'zod';
import { cleanText } from './lenient-fields.js';
import type { ManifestStore } from './manifest-store.js';
import { type StatusCode, statusCodeSchema } from './status-code.js';
import { sentenceOfOutcome, sentenceOfStore } from './validation-summary.js';

/** How much of a file's manifest can be believed. */
export const validationSchema = z
  .object({
    state: z.enum(['invalid', 'valid', 'trusted']).meta({
      description:
        'invalid: altered, or broken. valid: unchanged since it was signed, whoever signed. trusted: and the signer is known',
    }),
    codes: z.array(statusCodeSchema),
    summary: z.string().meta({ description: 'One sentence for a person that says why' }),
  })
  .meta({ id: 'C2paValidation' });

/** How much of a file's manifest can be believed. */
export type Validation = z.output<typeof validationSchema>;

/** Why an engine could not read a manifest that is there: its name for the fault, and what it said. */
export interface EngineOutcome {
  readonly code: string;
  readonly message: string;
  /** False where the file itself is damaged and nothing of a manifest is in what is left of it. */
  readonly holdsManifest?: boolean;
}

/** Status codes of C2PA for what c2pa-rs throws; any other fault is `general.error` (C2PA 2.3 §15.2). */
const CODE_OF_OUTCOME: Readonly<Record<string, string>> = {
  AssertionDecoding: 'assertion.cbor.invalid',
  AssertionMissing: 'assertion.missing',
  ClaimDecoding: 'claim.cbor.invalid',
  ClaimMissing: 'claim.missing',
  ClaimMissingSignatureBox: 'claimSignature.missing',
  CoseInvalidCert: 'signingCredential.invalid',
  CoseSignature: 'claimSignature.mismatch',
  // Thrown for a signature whose outer structure does not parse, time-stamp or not.
  CoseTimeStampGeneration: 'claimSignature.mismatch',
  InvalidClaim: 'claim.malformed',
  ProvenanceMissing: 'claim.missing',
  RemoteManifestUrl: 'manifest.inaccessible',
};

/**
 * The verdict on a store, or on a file whose manifest is there and does not parse, which always is `invalid`.
 *
 * The engine's verdict is never raised, only lowered: `invalid` without a verdict, and with any failure but an unknown
 * signer (`*.untrusted`) and a fault of an identity beside the manifest (`cawg.*`); with one of those it is at most
 * `valid`. The codes are those of C2PA 2.3 §15.2, failures first. Of an
 * engine's message nothing is passed on but the address of a manifest that is kept elsewhere.
 *
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
