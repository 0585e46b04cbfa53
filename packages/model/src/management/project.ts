import { z } from 'zod';
import { instantAnswer, textField } from '../records/json-fields.js';
import { pemField, slugField, titleField } from './management-fields.js';

const projectSlug = slugField(1).meta({ examples: ['front-page'] });

/** Would send data elsewhere, which this version cannot do for one project: null is taken, a value is refused. */
const notServed = z
  .null('This version cannot apply this setting to a project: leave it out')
  .optional()
  .meta({ description: 'Not served by this version: null or absent' });

const settings = {
  description: textField(500).nullable().optional(),
  aiTrainingOptOut: z
    .boolean()
    .optional()
    .meta({ description: 'Reserve the rights to mine the project’s content for AI training' }),
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
  storageType: notServed,
  ipfsProvider: notServed,
  ipfsApiKey: notServed,
  ipfsGateway: notServed,
  apiUrl: textField(2048).nullable().optional().meta({
    description: 'As it is shown: another one is refused, since one project has no address of its own',
  }),
  chainId: notServed,
  contractAddress: notServed,
  rpcUrl: notServed,
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
  .strictObject({ name: titleField.optional(), slug: projectSlug.optional(), ...settings })
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
    signingCertificate: z.string().nullable(),
    signingKeySet: z.boolean(),
    trustAnchors: z.string().nullable(),
    storageType: notYet,
    ipfsProvider: notYet,
    ipfsApiKey: notYet,
    ipfsGateway: notYet,
    chainId: notYet,
    contractAddress: notYet,
    rpcUrl: notYet,
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
