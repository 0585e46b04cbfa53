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
  .meta({ description: 'Steps from a leaf of the map to the root of the map' });

const placeMembers = {
  path: pathSchema,
  other: z.strictObject({ key: logHashSchema, value: logHashSchema }).optional().meta({
    description:
      'Only if the map has no entry for this key: the leaf of another key. The bits of this key lead to it',
  }),
};
const actionChains = {
  made: chainSchema.meta({ description: 'Actions with this output' }),
  used: chainSchema.meta({ description: 'Actions with this input' }),
};
const attributed = chainSchema.meta({ description: 'Attributions that name this content or action' });

/**
 * Two chains (`MentionChain`) of one identifier of content. `made`: actions with this identifier as an output. `used`:
 * actions with this identifier as an input. The path proves that the map contains both.
 */
const namedMentionsSchema = z.strictObject({ ...actionChains, ...placeMembers }).meta({ id: 'Mentions' });
const namedMentionsV2Schema = z
  .strictObject({ ...actionChains, attributed, ...placeMembers })
  .meta({ id: 'MentionsV2' });
const actionMentionsSchema = z.strictObject({ attributed, ...placeMembers }).meta({ id: 'MentionsOfAction' });

/**
 * The root of the map of the records that name each content (in version 2, also each action). The map covers the first
 * `leaves` leaves. A later leaf contains the digest of this statement.
 */
const mentionStatementSchema = <Version extends 1 | 2>(version: Version) =>
  z.strictObject({
    version: z.literal(version),
    kind: z.literal('mentions'),
    leaves: leafCountSchema,
    names: leafCountSchema.meta({ description: 'Number of keys of the map' }),
    root: logHashSchema,
  });

/** RFC 6901 §3. */
const JSON_POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

const recordProofSchema = z
  .strictObject({
    kind: z.enum(['entity', 'action', 'attribution']),
    id: z.string(),
    digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
    leafIndex: leafCountSchema,
    inclusionPath: inclusionPathSchema,
    salts: z.record(z.string(), z.string()),
    erased: z
      .record(z.string().regex(JSON_POINTER), logHashSchema)
      .optional()
      .meta({ description: 'JSON pointer of each erased field -> its commitment' }),
  })
  .meta({ id: 'RecordProof' });

const membersOfAll = {
  direction: z.enum(['ancestors', 'descendants', 'both']),
  origin: z.string().min(1).meta({ description: 'Name of the log' }),
  checkpoint: z.string().meta({ description: 'Signed note (C2SP tlog-checkpoint)' }),
  records: z.array(recordProofSchema).meta({ description: 'One per record of the bundle' }),
  signatures: z
    .array(z.strictObject({ keyid: z.string(), sig: z.string() }))
    .max(100)
    .meta({
      description: `DSSE signatures over the canonical JSON of the bundle without \`proof.signatures\`; payload type ${PROVEN_BUNDLE_TYPE}`,
    }),
};
const placeOfStatement = { leafIndex: leafCountSchema, inclusionPath: inclusionPathSchema };

const bundleProofV1Schema = z
  .strictObject({
    version: z.literal(1),
    ...membersOfAll,
    mentions: z.strictObject({
      statement: mentionStatementSchema(1).meta({ id: 'MentionStatement' }),
      ...placeOfStatement,
      byName: z.record(z.string(), namedMentionsSchema),
    }),
  })
  .meta({ id: 'BundleProofV1' });

const bundleProofV2Schema = z
  .strictObject({
    version: z.literal(2),
    ...membersOfAll,
    mentions: z.strictObject({
      statement: mentionStatementSchema(2).meta({ id: 'MentionStatementV2' }),
      ...placeOfStatement,
      byName: z.record(z.string(), namedMentionsV2Schema),
      byAction: z.record(z.string(), actionMentionsSchema),
    }),
  })
  .meta({ id: 'BundleProofV2' });

/** Schema of the proof of a bundle, version 1 or 2. Version 2 also shows that no attribution is missing. */
export const bundleProofSchema = z
  .discriminatedUnion('version', [bundleProofV1Schema, bundleProofV2Schema])
  .meta({ id: 'BundleProof' });

/** The proof of a bundle, version 1 or 2. */
export type BundleProof = z.output<typeof bundleProofSchema>;
/** Version of a proof: 1 covers the actions of a history; 2 covers its attributions too. */
export type ProofVersion = BundleProof['version'];
/** The chains of one identifier of content, with the proof. `attributed` is present in version 2. */
export type NamedMentions = z.output<typeof namedMentionsSchema> | z.output<typeof namedMentionsV2Schema>;
/** The attributions of one action, with the proof. */
export type ActionMentions = z.output<typeof actionMentionsSchema>;
/** The statement that contains the root of the map. */
export type MentionStatement = BundleProof['mentions']['statement'];

/**
 * Returns the text that the service signs for a bundle: the DSSE encoding of the bundle's canonical JSON, without
 * `proof.signatures`. Throws CanonicalJsonError for a value without canonical JSON.
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
