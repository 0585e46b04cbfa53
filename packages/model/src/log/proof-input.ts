/** The faults in the text of a document (docs/spec/receipts-v1.md), with their meanings. */
export const INPUT_FAULTS = {
  duplicateMember: 'An object has two members of the same name.',
  numberText: 'A number does not have its canonical text. Only a strict verification refuses this.',
  unusedSalt: 'A salt belongs to no field of its record. Only a strict verification refuses this.',
} as const;

/** A fault that only a strict verification refuses. */
export type ProofWarning = 'numberText' | 'unusedSalt';

/** Options of a verification. */
export interface VerifyOptions {
  /** Whether warnings are faults; default: false. */
  strict?: boolean | undefined;
}
