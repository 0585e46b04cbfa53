import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod';
import { fromBase64 } from '../base64.js';
import { canonicalJson } from '../canonical-json.js';
import { dssePae } from '../proofs/dsse.js';
import { createNobleSha256 } from '../sha256.js';
import { logHashSchema } from './log-fields.js';
import { inclusionPathSchema, leafCountSchema } from './receipt.js';

/** DSSE payload type of a hand-over. */
export const HANDOVER_TYPE = 'application/vnd.colophon.log-handover+json';

/** Schema of a hand-over: the key `to` replaces the key `from` as the signer of the logs. */
export const handoverStatementSchema = z
  .strictObject({
    version: z.literal(1),
    kind: z.literal('handover'),
    from: logHashSchema.meta({ description: 'The former Ed25519 public key, base64 of 32 bytes' }),
    to: logHashSchema.meta({ description: 'The new Ed25519 public key, base64 of 32 bytes' }),
  })
  .meta({ id: 'HandoverStatement' });

const SIGNATURE_BYTES = 64;
const signature = z
  .string()
  .refine((text) => fromBase64(text)?.length === SIGNATURE_BYTES, 'Expected base64 of 64 bytes');

/** Schema of the signatures of both keys over `handoverText`, in base64. */
export const handoverSignaturesSchema = z
  .strictObject({
    from: signature.meta({ description: 'Signature by the former key, base64 of 64 bytes' }),
    to: signature.meta({ description: 'Signature by the new key, base64 of 64 bytes' }),
  })
  .meta({ id: 'HandoverSignatures' });

const MAX_KEYS = 1_000;

/** Schema of the keys of a log, version 1 (docs/spec/log-keys-v1.md). */
export const keyHistorySchema = z
  .strictObject({
    version: z.literal(1),
    origin: z.string().min(1).meta({ description: 'Name of the log' }),
    keys: z
      .array(
        z.strictObject({
          verifierKey: z.string().meta({ description: 'C2SP signed-note: `<origin>+<key id>+<base64>`' }),
          publicKey: z.string().meta({ description: 'Ed25519, 64 hex digits' }),
        }),
      )
      .max(MAX_KEYS)
      .meta({ description: 'All keys of the service, oldest first; the last one is the present key' }),
    handovers: z
      .array(
        z.strictObject({
          statement: handoverStatementSchema,
          signatures: handoverSignaturesSchema,
          leafIndex: leafCountSchema.meta({ description: 'Index of the leaf of the statement in this log' }),
          inclusionPath: inclusionPathSchema,
        }),
      )
      .max(MAX_KEYS)
      .meta({
        description:
          'The hand-overs from one key to the next, in the order of their leaves. A lost key has no hand-over',
      }),
    checkpoint: z.string().meta({ description: 'Signed note (C2SP tlog-checkpoint), by the present key' }),
  })
  .meta({ id: 'KeyHistory' });

/** A hand-over from one key of a log to the next one. */
export type HandoverStatement = z.output<typeof handoverStatementSchema>;
/** The signatures of both keys over a hand-over. */
export type HandoverSignatures = z.output<typeof handoverSignaturesSchema>;
/** The keys of a log, version 1. */
export type KeyHistory = z.output<typeof keyHistorySchema>;

/**
 * Returns the text that both keys of a hand-over sign: the DSSE encoding of the canonical JSON of the statement.
 *
 * @example
 * const key = toBase64(new Uint8Array(32));
 * handoverText({ version: 1, kind: 'handover', from: key, to: key }).slice(0, 50); // => 'DSSEv1 42 application/vnd.colophon.log-handover+js'
 */
export function handoverText(statement: HandoverStatement): string {
  return dssePae(HANDOVER_TYPE, canonicalJson(statement));
}

/**
 * Returns the digest of a hand-over: SHA-256 over its canonical JSON. The leaf of the hand-over contains this digest.
 *
 * @example
 * const key = toBase64(new Uint8Array(32));
 * handoverDigest({ version: 1, kind: 'handover', from: key, to: key }).length; // => 71
 */
export function handoverDigest(statement: HandoverStatement): string {
  const hash = createNobleSha256();
  hash.update(utf8ToBytes(canonicalJson(statement)));
  return `sha256:${bytesToHex(hash.digest())}`;
}
