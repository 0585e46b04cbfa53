import * as z from 'zod';
import { cleanText } from './lenient-fields.js';
import type { ManifestStore } from './manifest-store.js';
import { type StatusCode, statusCodeSchema } from './status-code.js';
import {
  INVALID_REASONS,
  type InvalidReason,
  reasonOfCodes,
  reasonOfOutcome,
  sentenceOfReason,
  sentenceOfStore,
} from './validation-summary.js';

/** Schema of the validation result of a file's manifest. */
export const validationSchema = z
  .object({
    state: z.enum(['invalid', 'valid', 'trusted']).meta({
      description:
        'invalid: altered or broken. valid: unchanged since it was signed, by any signer. trusted: unchanged, and the signer is on the trust list',
    }),
    codes: z.array(statusCodeSchema),
    summary: z.string().meta({ description: 'One sentence for people that explains the state' }),
    reason: z.enum(INVALID_REASONS).optional().meta({
      description: 'Present for `invalid`: the reason that `summary` gives, for a translation',
    }),
  })
  .meta({ id: 'C2paValidation' });

/** The validation result of a file's manifest. */
export type Validation = z.output<typeof validationSchema>;

/** The error code and message of an engine that could not read the manifest of a file, or the file itself. */
export interface EngineOutcome {
  /** A code of the engine, or a C2PA status code that begins with `manifest.`. */
  readonly code: string;
  readonly message: string;
  /** False when the file itself is damaged, and its readable part contains no manifest. */
  readonly holdsManifest?: boolean;
}

/** Any other error of c2pa-rs becomes `general.error` (C2PA 2.3 §15.2). */
const CODE_OF_OUTCOME: Readonly<Record<string, string>> = {
  AssertionDecoding: 'assertion.cbor.invalid',
  AssertionMissing: 'assertion.missing',
  ClaimDecoding: 'claim.cbor.invalid',
  ClaimMissing: 'claim.missing',
  ClaimMissingSignatureBox: 'claimSignature.missing',
  CoseInvalidCert: 'signingCredential.invalid',
  CoseSignature: 'claimSignature.mismatch',
  // c2pa-rs reports this error for a malformed COSE signature, with or without a time-stamp.
  CoseTimeStampGeneration: 'claimSignature.mismatch',
  InvalidClaim: 'claim.malformed',
  ProvenanceMissing: 'claim.missing',
  RemoteManifestUrl: 'manifest.inaccessible',
};

/**
 * Returns the validation result of a store, or of a file that the engine could not read (always `invalid`).
 * The result is never better than the state of the engine. With an unknown signer (`*.untrusted`) or a problem of an
 * additional identity (`cawg.*`), the result is `valid` at most. With any other failure, or without a state of the
 * engine, the result is `invalid`. The codes are those of C2PA 2.3 §15.2, failures first. The result does not contain
 * the engine's message. If the message states the address of a remote manifest, the result contains this address.
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
  if (state === 'invalid') return { state, codes: [...store.codes], ...explain(reasonOfCodes(store.codes)) };
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
  const known = Object.hasOwn(CODE_OF_OUTCOME, code) ? CODE_OF_OUTCOME[code] : undefined;
  const statusCode = known ?? (/^manifest\.\w/.test(code) ? code : 'general.error');
  const address = /"(https?:\/\/[^"\s]{1,1000})"/.exec(message)?.[1];
  const explanation = code === 'RemoteManifestUrl' && address !== undefined ? address : code;
  const fault: StatusCode = {
    code: statusCode,
    kind: 'failure',
    explanation: cleanText(explanation, 1000) ?? 'unknown',
  };
  return { state: 'invalid', codes: [fault], ...explain(reasonOfOutcome(fault, holdsManifest)) };
}

function explain(reason: InvalidReason): Pick<Validation, 'summary' | 'reason'> {
  return { summary: sentenceOfReason(reason), reason };
}
