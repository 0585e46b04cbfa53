import * as z from 'zod';
import { textField } from '../records/json-fields.js';
import { type ActionProof, actionProofSchema } from './proof.js';
import { publicKeySchema } from './signature.js';

/** In characters. */
const MAX_KEY_LENGTH = 8_192;
/** The longest signatures in use, of SLH-DSA, have 100,000 hex digits. */
const MAX_SIGNATURE_LENGTH = 131_072;

/** A text on one line that can be stored and digested. */
const plainText = (maxLength: number) =>
  textField(maxLength).refine((text) => !/\p{Cc}/u.test(text), 'Must not contain control characters');

/** A key with the form of an Ed25519 key must be lower-case hex. */
export const anyPublicKeySchema = plainText(MAX_KEY_LENGTH).refine(
  (text) => !/^[0-9a-f]{64}$/i.test(text) || isEd25519Key(text),
  'An Ed25519 key is 64 lower-case hex digits',
);

export const anySignatureSchema = plainText(MAX_SIGNATURE_LENGTH);

const shortText = plainText(64);

/**
 * Schema of a performer's proof of an action in requests and responses: an Ed25519 proof in the form of
 * `actionProofSchema`, or a proof by another algorithm. The service stores a proof by another algorithm unchanged and
 * never verifies it. With `PROOF_POLICY=enforce`, the service rejects it.
 */
export const sentProofSchema = z
  .strictObject({
    algorithm: shortText.meta({
      description:
        'The service can verify only `Ed25519`. It stores other proofs unchanged, or rejects them with `PROOF_POLICY=enforce`',
    }),
    publicKey: anyPublicKeySchema.meta({ description: 'For Ed25519: 64 lower-case hex digits' }),
    signature: anySignatureSchema.meta({ description: 'For Ed25519: 128 lower-case hex digits' }),
    timestamp: shortText.meta({
      description: `For Ed25519: ${actionProofSchema.shape.timestamp.description}`,
      examples: ['2026-08-02T09:30:00.000Z'],
    }),
    signedTimestamp: shortText.optional().meta({
      description: actionProofSchema.shape.signedTimestamp.description,
    }),
  })
  .superRefine((proof, context) => {
    if (proof.algorithm !== 'Ed25519') {
      if (/^ed25519$/i.test(proof.algorithm))
        context.addIssue({ code: 'custom', path: ['algorithm'], message: 'Must be spelled `Ed25519`' });
      return;
    }
    for (const issue of actionProofSchema.safeParse(proof).error?.issues ?? [])
      context.addIssue({ code: 'custom', path: issue.path, message: issue.message });
  })
  .meta({ id: 'AnyActionProof' });

/** A proof of an action in requests and responses, by a key of any algorithm. */
export type SentProof = z.output<typeof sentProofSchema>;

/** Whether the service can verify this proof, that is, whether it is an Ed25519 proof. */
export function isVerifiable(proof: SentProof): proof is SentProof & ActionProof {
  return proof.algorithm === 'Ed25519';
}

/** Whether this is an Ed25519 public key: 64 lower-case hex digits. */
export function isEd25519Key(publicKey: string): boolean {
  return publicKeySchema.safeParse(publicKey).success;
}
