import * as z from 'zod';
import { walletField } from '../evm-address.js';
import { anyPublicKeySchema, anySignatureSchema, isEd25519Key } from '../proofs/sent-proof.js';
import { signatureSchema } from '../proofs/signature.js';
import { erasureSchema } from './erasure.js';
import { smallExtensionsField } from './extensions.js';
import { instantAnswer, jsonObjectField, nameField, wordField } from './json-fields.js';

/** `human`, `ai`, `organization`, or a role of one's own as `ext:<ns>`. */
export const entityRoleSchema = wordField(['human', 'ai', 'organization'], {
  own: /^ext:[a-zA-Z]\w*(?::\w+)*$/,
  ownForm: 'ext:<ns>',
});

/** The roles, as messages list them. */
const ROLES = entityRoleSchema.description;

/** An entity id: 1 to 256 characters, often `<namespace>:<name>`. */
export const entityIdSchema = nameField(256).meta({ description: 'Entity id', examples: ['studio:ann'] });

const publicKeyField = anyPublicKeySchema.meta({
  description:
    'Ed25519 public key: 64 lower-case hex digits. Keys of other kinds are stored as sent, and refused where `PROOF_POLICY` is `enforce`',
});

const signatureField = anySignatureSchema.meta({
  description: 'Signature that proves the possession of publicKey; of Ed25519: 128 lower-case hex digits',
});

/** A signature has the form of Ed25519 unless it comes with a key of another kind. */
function checkSignature(
  {
    publicKey,
    registrationSignature: signature,
  }: { publicKey?: string | undefined; registrationSignature?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (signature === undefined || (publicKey !== undefined && !isEd25519Key(publicKey))) return;
  for (const { message } of signatureSchema.safeParse(signature).error?.issues ?? [])
    context.addIssue({ code: 'custom', path: ['registrationSignature'], message });
}

/** What a caller says of an entity. */
export const entityInputSchema = z
  .strictObject({
    id: entityIdSchema.optional(),
    role: entityRoleSchema
      .optional()
      .meta({ description: `${ROLES}. Needed unless \`id\` names an entity that is stored` }),
    name: nameField(256).optional().meta({ description: 'Display name' }),
    wallet: walletField
      .optional()
      .meta({ description: 'Blockchain address; needed to be paid. EVM addresses compare ignoring case' }),
    publicKey: publicKeyField.optional(),
    registrationSignature: signatureField.optional(),
    metadata: jsonObjectField.optional(),
    extensions: smallExtensionsField.optional(),
  })
  .refine(({ id, role }) => id !== undefined || role !== undefined, {
    path: ['role'],
    message: `Missing: expected ${ROLES}`,
  })
  .superRefine(checkSignature)
  .meta({ id: 'EntityRequest' });

/** What may change of an entity. Null removes; wallet and public key can be given once. */
export const entityPatchSchema = z
  .strictObject({
    name: nameField(256).nullable().optional(),
    metadata: jsonObjectField.nullable().optional(),
    wallet: walletField.optional(),
    publicKey: publicKeyField.optional(),
    registrationSignature: signatureField.optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, 'Name at least one field to change')
  .superRefine(checkSignature)
  .meta({ id: 'EntityPatch' });

/** An entity as stored and shown. */
export const entitySchema = z
  .object({
    id: z.string(),
    role: z.string(),
    name: z.string().optional(),
    wallet: z.string().optional(),
    publicKey: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    extensions: z.record(z.string(), z.unknown()).optional(),
    createdAt: instantAnswer,
    erasure: erasureSchema.optional(),
  })
  .meta({ id: 'Entity' });

/** What a caller says of an entity, parsed. */
export type EntityInput = z.output<typeof entityInputSchema>;
/** Changes to an entity, parsed. */
export type EntityPatch = z.output<typeof entityPatchSchema>;
/** `human`, `ai`, `organization`, or a role of one's own. */
export type EntityRole = z.output<typeof entityRoleSchema>;
/** An entity as stored and shown. */
export type Entity = z.output<typeof entitySchema>;
/** What a caller says of an entity, as it is sent. */
export type EntityRequest = z.input<typeof entityInputSchema>;
