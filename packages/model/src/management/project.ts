import * as z from 'zod';
import { instantAnswer, textField } from '../records/json-fields.js';
import { pemField, plainUrlField, slugField, titleField } from './management-fields.js';

const projectSlug = slugField(1).meta({ examples: ['front-page'] });

/** Would send data elsewhere, which this version cannot do for one project: null is taken, a value is refused. */
const notServed = z
  .null('This version cannot apply this setting to a project: leave it out')
  .optional()
  .meta({ description: 'Not served by this version: null or absent' });

const storageType = z.enum(['local', 'ipfs']).nullable();
const ipfsProvider = z.enum(['pinata', 'kubo']).nullable();

const limit = (max: number, description: string) => z.int().min(0).max(max).nullable().meta({ description });

/** What a project may use; null: as much as it likes. */
export const projectLimitsSchema = z
  .object({
    storedBytes: limit(2 ** 50, 'Bytes of all recorded files'),
    records: limit(2 ** 50, 'Entities, actions and attributions'),
    requestsPerMonth: limit(2 ** 50, 'Requests of all keys in a calendar month, in UTC'),
    concurrentUploads: limit(
      100_000,
      'Large forms that each node receives at a time; null: MAX_PROJECT_UPLOADS',
    ),
  })
  .meta({ id: 'ProjectLimits' });

const settings = {
  description: textField(500).nullable().optional(),
  aiTrainingOptOut: z
    .boolean()
    .optional()
    .meta({ description: 'Reserve the rights to mine the project’s content for AI training' }),
  publicChecks: z.boolean().optional().meta({
    description:
      'Whether everybody may ask if the project knows a content, and gets a short answer without names',
  }),
  anchoring: z.boolean().optional().meta({
    description: 'Whether what the project records is anchored, where the service names a chain',
  }),
  signingCertificate: pemField(/CERTIFICATE/)
    .nullable()
    .optional()
    .meta({ description: 'PEM chain, leaf first, that media of this project is signed with' }),
  signingKey: pemField(/PRIVATE KEY|EC PRIVATE KEY|RSA PRIVATE KEY/)
    .nullable()
    .optional()
    .meta({ description: 'PEM private key; write-only, sealed at rest', writeOnly: true }),
  trustAnchors: pemField(/CERTIFICATE/)
    .nullable()
    .optional()
    .meta({ description: 'PEM certificates that this project trusts beside those of the service' }),
  storageType: storageType.optional().meta({
    description:
      '`local`: content is pinned nowhere; `ipfs`: also pinned; null: where the configuration says',
  }),
  ipfsProvider: ipfsProvider
    .optional()
    .meta({ description: 'The project’s own pinning service, in place of those of the configuration' }),
  ipfsApiKey: z
    .string()
    .regex(/^[\x21-\x7e]{8,4096}$/, 'Expected 8 to 4,096 visible ASCII characters')
    .nullable()
    .optional()
    .meta({
      description: 'Pinata’s token, or what the Kubo node asks for; write-only, sealed',
      writeOnly: true,
    }),
  ipfsGateway: plainUrlField.nullable().optional().meta({
    description: 'Pinata: address of the account’s gateway; Kubo: of the node’s RPC, without /api/v0',
  }),
  apiUrl: textField(2048).nullable().optional().meta({
    description: 'As it is shown: another one is refused, since one project has no address of its own',
  }),
  chainId: notServed,
  contractAddress: notServed,
  rpcUrl: notServed,
  limits: z.strictObject(projectLimitsSchema.partial().shape).optional().meta({
    description: 'Set by the operator, with the management secret; those that are absent stay',
  }),
};

const newProject = {
  name: titleField,
  slug: projectSlug.optional().meta({ description: 'Made from the name when absent' }),
  ...settings,
};

/** A new project of the organisation that the path names. */
export const projectDetailsSchema = z.strictObject(newProject).meta({ id: 'ProjectDetails' });
/** A new project. */
export const projectInputSchema = z
  .strictObject({ orgSlug: slugField(2), ...newProject })
  .meta({ id: 'ProjectRequest' });

/** Changes to a project: what is absent stays, null removes. */
export const projectPatchSchema = z
  .strictObject({
    name: titleField.optional(),
    slug: projectSlug.optional(),
    ...settings,
  })
  .meta({ id: 'ProjectPatch' });

const notYet = z.null().meta({ description: 'Not served by this version' });

/** A project. A secret is never shown, only whether it is set. */
export const projectSchema = z
  .object({
    id: z.uuid(),
    orgId: z.uuid(),
    orgSlug: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    apiUrl: z.string().nullable().meta({ description: 'Where this service is reached from outside' }),
    aiTrainingOptOut: z.boolean(),
    anchoring: z.boolean(),
    publicChecks: z.boolean(),
    signingCertificate: z.string().nullable(),
    signingKeySet: z.boolean(),
    trustAnchors: z.string().nullable(),
    storageType,
    ipfsProvider,
    ipfsApiKeySet: z.boolean(),
    ipfsGateway: z.string().nullable(),
    chainId: notYet,
    contractAddress: notYet,
    rpcUrl: notYet,
    limits: projectLimitsSchema,
    createdAt: instantAnswer,
    updatedAt: instantAnswer,
  })
  .meta({ id: 'Project' });

/** A new project, parsed. */
export type ProjectDetails = z.output<typeof projectDetailsSchema>;
/** Changes to a project, parsed. */
export type ProjectPatch = z.output<typeof projectPatchSchema>;
/** A project. */
export type Project = z.output<typeof projectSchema>;
/** What a project may use. */
export type ProjectLimits = z.output<typeof projectLimitsSchema>;
/** A new project, as it is sent. */
export type ProjectRequest = z.input<typeof projectInputSchema>;
