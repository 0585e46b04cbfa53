import * as z from 'zod';
import { instantAnswer, textField } from '../records/json-fields.js';
import { pemField, plainUrlField, slugField, titleField } from './management-fields.js';

const projectSlug = slugField(1).meta({ examples: ['front-page'] });

/** A project cannot have settings of a blockchain, so any value except null is invalid. */
const notServed = z
  .null('This version does not support this setting for a project; leave it out')
  .optional()
  .meta({ description: 'Not supported in this version: null or absent' });

const storageType = z.enum(['local', 'ipfs']).nullable();
const ipfsProvider = z.enum(['pinata', 'kubo']).nullable();

const limit = (max: number, description: string) => z.int().min(0).max(max).nullable().meta({ description });

/**
 * Schema of the limits of a project. Null means unlimited. For `concurrentUploads`, null means the limit of the
 * configuration.
 */
export const projectLimitsSchema = z
  .object({
    storedBytes: limit(2 ** 50, 'Bytes of all recorded files'),
    records: limit(
      2 ** 50,
      'Leaves of the log: entities, actions, attributions and statements of the service',
    ),
    requestsPerMonth: limit(2 ** 50, 'Requests of all keys in a calendar month, in UTC'),
    concurrentUploads: limit(
      100_000,
      'Number of large forms that each node receives concurrently; null: MAX_PROJECT_UPLOADS',
    ),
  })
  .meta({ id: 'ProjectLimits' });

const settings = {
  description: textField(500).nullable().optional(),
  aiTrainingOptOut: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the project reserves the rights to mine its content for AI training' }),
  publicChecks: z.boolean().optional().meta({
    description:
      'Whether anybody may check if the project contains a content. The response is short and has no names',
  }),
  publicLog: z.boolean().optional().meta({
    description:
      'Whether anybody may read the log of the project at `/log/<id>/`: its size and the digests of all records. Requires PUBLIC_LOGS=permitted. Only an admin or owner may set it to true',
  }),
  publicDetector: z.boolean().optional().meta({
    description:
      'Whether `POST /public/detect` finds the live publications of the project by their content. The responses include links to the publications',
  }),
  anchoring: z.boolean().optional().meta({
    description:
      'Whether records of the project get anchors and time-stamps. Without a configured blockchain and time-stamping authority, this setting has no effect',
  }),
  signingCertificate: pemField(/CERTIFICATE/)
    .nullable()
    .optional()
    .meta({ description: 'PEM chain, leaf first, for signing media of this project' }),
  signingKey: pemField(/PRIVATE KEY|EC PRIVATE KEY|RSA PRIVATE KEY/)
    .nullable()
    .optional()
    .meta({ description: 'PEM private key; write-only, stored encrypted', writeOnly: true }),
  trustAnchors: pemField(/CERTIFICATE/)
    .nullable()
    .optional()
    .meta({ description: 'PEM certificates that this project trusts in addition to those of the service' }),
  storageType: storageType.optional().meta({
    description:
      '`local`: content is not pinned; `ipfs`: content is also pinned; null: as configured in the service',
  }),
  ipfsProvider: ipfsProvider.optional().meta({
    description: 'The project’s own pinning service. It replaces the pinning services of the configuration',
  }),
  ipfsApiKey: z
    .string()
    .regex(/^[\x21-\x7e]{8,4096}$/, 'Expected 8 to 4,096 visible ASCII characters')
    .nullable()
    .optional()
    .meta({
      description: 'Token of Pinata, or the credential of the Kubo node; write-only, stored encrypted',
      writeOnly: true,
    }),
  ipfsGateway: plainUrlField.nullable().optional().meta({
    description: 'Pinata: address of the account’s gateway. Kubo: address of the node’s RPC, without /api/v0',
  }),
  apiUrl: textField(2048).nullable().optional().meta({
    description:
      'Must equal the value in responses. A project has no address of its own, so the service rejects any other value',
  }),
  chainId: notServed,
  contractAddress: notServed,
  rpcUrl: notServed,
  limits: z.strictObject(projectLimitsSchema.partial().shape).optional().meta({
    description:
      'Limits of the project. Only the operator sets limits, with the management secret. Absent limits stay unchanged',
  }),
};

const newProject = {
  name: titleField,
  slug: projectSlug.optional().meta({ description: 'Default: derived from the name' }),
  ...settings,
};

/** Schema of a new project in the organisation in the path. */
export const projectDetailsSchema = z.strictObject(newProject).meta({ id: 'ProjectDetails' });
/** Schema of a new project in the organisation `orgSlug`. */
export const projectInputSchema = z
  .strictObject({ orgSlug: slugField(2), ...newProject })
  .meta({ id: 'ProjectRequest' });

/** Schema of changes to a project. Absent members stay unchanged; null removes a value. */
export const projectPatchSchema = z
  .strictObject({
    name: titleField.optional(),
    slug: projectSlug.optional(),
    ...settings,
  })
  .meta({ id: 'ProjectPatch' });

const notYet = z.null().meta({ description: 'Not supported in this version' });

/** Schema of a project. It contains no secrets, only whether each secret is set. */
export const projectSchema = z
  .object({
    id: z.uuid(),
    orgId: z.uuid(),
    orgSlug: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    apiUrl: z.string().nullable().meta({ description: 'Public address of this service' }),
    aiTrainingOptOut: z.boolean(),
    anchoring: z.boolean(),
    publicChecks: z.boolean(),
    publicLog: z.boolean(),
    publicDetector: z.boolean(),
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

/** Schema of a project in a list. It lacks the certificates, which can have 64 KiB each. */
export const projectItemSchema = projectSchema
  .omit({ signingCertificate: true, trustAnchors: true })
  .meta({ id: 'ProjectItem' });

/** A parsed new project. */
export type ProjectDetails = z.output<typeof projectDetailsSchema>;
/** Parsed changes to a project. */
export type ProjectPatch = z.output<typeof projectPatchSchema>;
/** A project. */
export type Project = z.output<typeof projectSchema>;
/** A project in a list, without its certificates. */
export type ProjectItem = z.output<typeof projectItemSchema>;
/** The limits of a project. */
export type ProjectLimits = z.output<typeof projectLimitsSchema>;
/** A new project, as a caller sends it. */
export type ProjectRequest = z.input<typeof projectInputSchema>;
