import * as z from 'zod';
import { walletField } from '../evm-address.js';
import { anyPublicKeySchema, anySignatureSchema, isEd25519Key } from '../proofs/sent-proof.js';
import { signatureSchema } from '../proofs/signature.js';
import { erasureSchema } from './erasure.js';
import { smallExtensionsField } from './extensions.js';
import { instantAnswer, jsonObjectField, nameField, wordField } from './json-fields.js';

/** Schema of a role: `human`, `ai`, `organization`, or a custom role `ext:<ns>`. */
export const entityRoleSchema = wordField(['human', 'ai', 'organization'], {
  own: /^ext:[a-zA-Z]\w*(?::\w+)*$/,
  ownForm: 'ext:<ns>',
});

const ROLES = entityRoleSchema.description;

/** Schema of an entity id: 1 to 256 characters, often `<namespace>:<name>`. */
export const entityIdSchema = nameField(256).meta({ description: 'Entity id', examples: ['studio:ann'] });

const publicKeyField = anyPublicKeySchema.meta({
  description:
    'Ed25519 public key: 64 lower-case hex digits. With `PROOF_POLICY=enforce`, the service rejects keys of other kinds. Otherwise it stores them unchanged',
});

const signatureField = anySignatureSchema.meta({
  description: 'Signature that proves the possession of publicKey; for Ed25519: 128 lower-case hex digits',
});

/** A signature without a key must have the form of Ed25519 too. */
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

/** Schema of an entity in a request. */
export const entityInputSchema = z
  .strictObject({
    id: entityIdSchema.optional(),
    role: entityRoleSchema
      .optional()
      .meta({ description: `${ROLES}. Required unless \`id\` names a stored entity` }),
    name: nameField(256).optional().meta({ description: 'Display name' }),
    wallet: walletField.optional().meta({
      description:
        'Blockchain address; required for payments. The case of letters does not matter when EVM addresses are compared',
    }),
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

/** Schema of changes to an entity. Null removes a value. Wallet and public key can be set only once. */
export const entityPatchSchema = z
  .strictObject({
    name: nameField(256).nullable().optional(),
    metadata: jsonObjectField.nullable().optional(),
    wallet: walletField.optional(),
    publicKey: publicKeyField.optional(),
    registrationSignature: signatureField.optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, 'Send at least one field to change')
  .superRefine(checkSignature)
  .meta({ id: 'EntityPatch' });

/** Schema of an entity as the service stores and returns it. */
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

/** A parsed entity of a request. */
export type EntityInput = z.output<typeof entityInputSchema>;
/** Parsed changes to an entity. */
export type EntityPatch = z.output<typeof entityPatchSchema>;
/** `human`, `ai`, `organization`, or a custom role. */
export type EntityRole = z.output<typeof entityRoleSchema>;
/** An entity as the service stores and returns it. */
export type Entity = z.output<typeof entitySchema>;
/** An entity as a caller sends it. */
export type EntityRequest = z.input<typeof entityInputSchema>;
