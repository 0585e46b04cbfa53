import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod';
import { canonicalJson, type JsonObject } from '../canonical-json.js';
import { dssePae } from '../proofs/dsse.js';
import { createNobleSha256 } from '../sha256.js';
import { logHashSchema } from './log-fields.js';
import { inclusionPathSchema, leafCountSchema } from './receipt.js';

/** Media type of a bundle with its proof, as the payload of a DSSE envelope. */
export const PROVEN_BUNDLE_TYPE = 'application/vnd.colophon.bundle+json';

const chainSchema = z.strictObject({ count: leafCountSchema, head: logHashSchema });
const pathSchema = z
  .array(z.strictObject({ bit: z.int().min(0).max(255), hash: logHashSchema }))
  .max(256)
  .meta({ description: 'Steps from the leaf of the map to its root' });

/** The number of actions that name content by this identifier, with the proof that the map contains that number. */
export const namedMentionsSchema = z
  .strictObject({
    made: chainSchema.meta({ description: 'Actions with this output' }),
    used: chainSchema.meta({ description: 'Actions with this input' }),
    path: pathSchema,
    other: z.strictObject({ key: logHashSchema, value: logHashSchema }).optional().meta({
      description:
        'The leaf to which the bits of this identifier’s key lead in the map; only present when no action uses the identifier',
    }),
  })
  .meta({ id: 'Mentions' });

/** The root of the map of the actions among the first `leaves` leaves. This statement is itself a leaf. */
export const mentionStatementSchema = z
  .strictObject({
    version: z.literal(1),
    kind: z.literal('mentions'),
    leaves: leafCountSchema,
    names: leafCountSchema.meta({ description: 'Identifiers in the map' }),
    root: logHashSchema,
  })
  .meta({ id: 'MentionStatement' });

const recordProofSchema = z
  .strictObject({
    kind: z.enum(['entity', 'action', 'attribution']),
    id: z.string(),
    digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
    leafIndex: leafCountSchema,
    inclusionPath: inclusionPathSchema,
    salts: z.record(z.string(), z.string()),
    erased: z
      .record(z.string(), logHashSchema)
      .optional()
      .meta({ description: 'JSON pointer of each erased field -> its commitment' }),
  })
  .meta({ id: 'RecordProof' });

/** Schema of the proof of a bundle. */
export const bundleProofSchema = z
  .strictObject({
    version: z.literal(1),
    direction: z.enum(['ancestors', 'descendants', 'both']),
    origin: z.string().min(1).meta({ description: 'Name of the log' }),
    checkpoint: z.string().meta({ description: 'Signed note (C2SP tlog-checkpoint)' }),
    records: z.array(recordProofSchema).meta({ description: 'One for each record of the bundle' }),
    mentions: z.strictObject({
      statement: mentionStatementSchema,
      leafIndex: leafCountSchema,
      inclusionPath: inclusionPathSchema,
      byName: z.record(z.string(), namedMentionsSchema),
    }),
    signatures: z
      .array(z.strictObject({ keyid: z.string(), sig: z.string() }))
      .max(100)
      .meta({
        description: `DSSE signatures over the canonical JSON of all other members, as ${PROVEN_BUNDLE_TYPE}`,
      }),
  })
  .meta({ id: 'BundleProof' });

/** The proof of a bundle. */
export type BundleProof = z.output<typeof bundleProofSchema>;
/** The number of actions that name content by one identifier, with the proof. */
export type NamedMentions = z.output<typeof namedMentionsSchema>;
/** The statement of the root of the map of identifiers. */
export type MentionStatement = z.output<typeof mentionStatementSchema>;

/**
 * Returns the text that is signed for a bundle: the DSSE encoding of the canonical JSON of the bundle and its proof,
 * without `proof.signatures`. Throws CanonicalJsonError for a value without canonical JSON.
 */
export function provenBundleText(bundle: { proof: object }): string {
  const { signatures: _, ...proof } = bundle.proof as JsonObject;
  return dssePae(PROVEN_BUNDLE_TYPE, canonicalJson({ ...bundle, proof } as JsonObject));
}

/**
 * Returns the digest of a statement: SHA-256 over its canonical JSON. The leaf of the statement contains this
 * digest.
 *
 * @example
 * statementDigest({ version: 1, kind: 'mentions', leaves: 0, names: 0, root: toBase64(emptyRoot()) }).length; // => 71
 */
export function statementDigest(statement: MentionStatement): string {
  const hash = createNobleSha256();
  hash.update(utf8ToBytes(canonicalJson(statement)));
  return `sha256:${bytesToHex(hash.digest())}`;
}
