import {
  type ActivityInput,
  AI_EXTENSION,
  C2PA_EXTENSION,
  type EmbedInput,
  type Entity,
  entitySchema,
  type JsonObject,
  type ManifestParts,
  type ManifestStore,
  type MediaEmbedding,
  toBundle,
  toDisplay,
  toManifest,
  toManifestDefinition,
  toValidation,
} from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import { ZodError } from 'zod';
import { bodyFault } from '../../body-fault.js';
import { ServiceError } from '../../errors.js';
import { findFormat } from '../../media/formats.js';
import { withoutAbsent } from '../draft-records.js';
import type { RecordNeeds } from '../needs.js';
import { recordActivity } from '../record-activity.js';
import { readStoredEntity } from '../records.sql.js';
import type { StagedUpload } from '../stage-upload.js';
import { chooseSigner } from './choose-signer.js';
import { type GatheredIngredient, gatherIngredients } from './gather-ingredients.js';
import type { CredentialNeeds } from './needs.js';
import { anchorsOf, readCredentials } from './read-credentials.js';
import { readRecordedStore } from './read-recorded.js';
import { signCopy } from './sign-copy.js';
import type { StagedMedia } from './stage-media.js';

/** A file that is to be signed: what its manifest is to say, and the parts that ingredients name. */
export interface Embedding {
  input: EmbedInput;
  media: StagedMedia;
  parts: ReadonlyMap<string, StagedMedia>;
}

interface Needs {
  records: RecordNeeds;
  credentials: CredentialNeeds;
}

/** The answer; `isNew` unless it tells of what was recorded before. */
type Embedded = MediaEmbedding & { isNew: boolean; replayed: boolean };

/**
 * Signs a copy of the file and records it, in one step: the signed file is stored and an action made it from the
 * file that was sent. When this rejects, nothing is recorded and nothing stored. The caller discards the media.
 */
export async function embedCredentials(
  needs: Needs,
  projectId: string,
  embedding: Embedding,
): Promise<Embedded> {
  const { input, media } = embedding;
  const { records } = needs;
  const performer = await requireEntity(records, projectId, input.entityId);
  assertDisclosed(input, performer);
  const credentials = await withSettings(needs.credentials, projectId);
  const signer = await chooseSigner(credentials, projectId, input);
  const actionId = input.actionId ?? uuidv7();
  const gathered = await gatherIngredients(records, projectId, {
    ...embedding,
    maxBytes: credentials.maxMediaBytes,
  });
  const { parent, isUnsigned } = await readHistory(credentials, projectId, media);
  assertOneParent(parent !== undefined, input);
  const ingredients = [...(parent === undefined ? [] : [parent.ingredient]), ...gathered];
  const { aiTrainingOptOut } = await credentials.readSettings(projectId);
  const { definition, ingredients: described } = define(embedding, {
    actionId,
    ingredients,
    aiTrainingOptOut,
  });
  const trustAnchorsPem = await anchorsOf(credentials, projectId);
  const copy = await signCopy({ ...records, credentials }, projectId, {
    path: media.path,
    outputPath: media.besides('signed'),
    mediaType: media.mediaType,
    definition: { ...definition, ...nameOnly(ingredients, described) },
    ingredients: ingredients.flatMap(({ path, mediaType }, index) =>
      isMedia(mediaType) ? [{ json: described[index]?.json ?? {}, path, mediaType }] : [],
    ),
    thumbnail: true,
    isUnsigned,
    signer,
    tenant: projectId,
    ...(trustAnchorsPem === undefined ? {} : { trustAnchorsPem }),
  });
  try {
    if (credentials.signerMustBeTrusted) assertTrusted(copy.store);
    return await recordSigned({ records, credentials }, projectId, {
      ...embedding,
      ...copy,
      performer,
      actionId,
      inputCids: [media.digests.cid, ...gathered.map(({ said }) => said.cid)],
      ingredientCids: ingredients.map(({ said }) => said.cid),
      knownCids: new Map(parent === undefined ? [] : [[parent.label, media.digests.cid]]),
    });
  } finally {
    await copy.upload.discard();
  }
}

/** The project's settings as they are now, read once for the whole request. */
async function withSettings(needs: CredentialNeeds, projectId: string): Promise<CredentialNeeds> {
  const settings = await needs.readSettings(projectId);
  return { ...needs, readSettings: async () => settings };
}

const isMedia = (mediaType: string) => findFormat(mediaType)?.read === true;

/** Ingredients that no manifest can be in, such as a prompt, are named in the definition itself. */
function nameOnly(
  ingredients: readonly GatheredIngredient[],
  described: readonly { json: JsonObject }[],
): { ingredients?: JsonObject[] } {
  const named = ingredients.flatMap(({ mediaType }, index) =>
    isMedia(mediaType) ? [] : [{ ...described[index]?.json, format: mediaType }],
  );
  return named.length === 0 ? {} : { ingredients: named };
}

/** The reader's own word on the signer, after the fact: nothing is stored yet. */
function assertTrusted(store: ManifestStore): void {
  const distrusted = toValidation(store).codes.find(({ code }) =>
    code.startsWith('signingCredential.untrusted'),
  );
  if (distrusted === undefined) return;
  throw new ServiceError(
    'ValidationError',
    'The signing certificate leads to no trust anchor of this service.',
    {
      recovery: 'Sign with a certificate of an approved authority.',
      details: [{ path: 'signingCertificate', message: 'Its chain reads as untrusted' }],
    },
  );
}

async function requireEntity({ provenance }: RecordNeeds, projectId: string, id: string): Promise<Entity> {
  const stored = await readStoredEntity(provenance, projectId, id);
  if (stored !== undefined) return entitySchema.parse(stored.body);
  throw new ServiceError('NotFound', `There is no entity ${id} in this project.`, {
    recovery: 'Create it with POST /v1/entity first.',
    details: { entityId: id },
  });
}

/** Media that AI had a part in must say so (Regulation (EU) 2024/1689, Art. 50). */
function assertDisclosed(
  { aiDisclosure, aiTool, actionType, extensions }: EmbedInput,
  { role }: Entity,
): void {
  if (aiDisclosure !== null) return;
  const why =
    role === 'ai'
      ? 'the entity is an AI'
      : aiTool !== undefined || AI_EXTENSION in extensions
        ? 'an AI tool was used'
        : actionType === 'generate'
          ? 'the action is `generate`'
          : undefined;
  if (why === undefined) return;
  throw new ServiceError('ValidationError', `AI media must say so, and ${why}.`, {
    recovery: 'Set aiDisclosure to ai_generated or ai_assisted.',
    details: [{ path: 'aiDisclosure', message: `Null says that people alone made it, but ${why}` }],
  });
}

interface Parent {
  ingredient: GatheredIngredient;
  label: string;
}

interface History {
  /** Undefined as well when what the file has does not parse. */
  parent: Parent | undefined;
  isUnsigned: boolean;
}

/** The file itself as the earlier version, when it has a manifest: its history is kept. */
async function readHistory(needs: CredentialNeeds, projectId: string, media: StagedMedia): Promise<History> {
  const { store, validation, remoteUrl } = await readCredentials(needs, projectId, media);
  if (validation !== null && store === undefined) {
    throw unreadable(`The file has a manifest that cannot be read: ${validation.summary}`);
  }
  if (remoteUrl !== undefined) {
    throw unreadable(`The file's manifest is kept elsewhere (${remoteUrl}), and is not fetched.`);
  }
  const isUnsigned = validation === null;
  if (store === undefined) return { parent: undefined, isUnsigned };
  const { title, label } = store.active;
  const parent: Parent = {
    label,
    ingredient: {
      said: {
        id: 'parent',
        cid: media.digests.cid,
        relationship: 'parentOf',
        ...(title === undefined ? {} : { title }),
      },
      path: media.path,
      mediaType: media.mediaType,
    },
  };
  return { parent, isUnsigned };
}

/** Signing over a history that cannot be read would pass the file off as new. */
function unreadable(message: string): ServiceError {
  return new ServiceError('ValidationError', message, {
    recovery:
      'Sign the file before it was damaged, or a copy without the manifest, naming its earlier version.',
    details: [{ path: 'file', message: 'Has a history that cannot be kept' }],
  });
}

/** The manifest that a file has is its history; an ingredient can be the earlier version of a file without one. */
function assertOneParent(hasManifest: boolean, { ingredients }: EmbedInput): void {
  const index = ingredients.findIndex(({ relationship }) => relationship === 'parentOf');
  if (!hasManifest || index === -1) return;
  throw new ServiceError(
    'ValidationError',
    'The file has a manifest, which is its earlier version already.',
    {
      recovery: 'Name the ingredient componentOf or inputTo, or leave it out.',
      details: [{ path: `ingredients.${index}.relationship`, message: 'The file has a manifest of its own' }],
    },
  );
}

interface DefinitionTerms {
  actionId: string;
  ingredients: readonly GatheredIngredient[];
  aiTrainingOptOut: boolean;
}

/** What a manifest says for a project that reserves these rights, unless the request says otherwise. */
const NO_TRAINING: EmbedInput['trainingMining'] = {
  aiGenerativeTraining: { use: 'notAllowed' },
  aiTraining: { use: 'notAllowed' },
  dataMining: { use: 'notAllowed' },
};

/** The manifest's definition. Throws `ValidationError` for what no validator would accept. */
function define({ input, media }: Embedding, { actionId, ingredients, aiTrainingOptOut }: DefinitionTerms) {
  const { title, generator, aiDisclosure, actions, metadata } = input;
  const trainingMining = input.trainingMining ?? (aiTrainingOptOut ? NO_TRAINING : undefined);
  const parts = {
    ...withoutAbsent({ title, trainingMining }),
    generator,
    aiDisclosure,
    actions,
    ingredients: ingredients.map(({ said }) => said),
    metadata: { ...metadata, inputCid: media.digests.cid, actionId },
  };
  try {
    return toManifestDefinition(parts as ManifestParts);
  } catch (error) {
    throw error instanceof ZodError ? bodyFault(error) : error;
  }
}

interface Signed extends Embedding {
  performer: Entity;
  actionId: string;
  upload: StagedUpload;
  store: ManifestStore;
  inputCids: readonly string[];
  ingredientCids: string[];
  knownCids: ReadonlyMap<string, string>;
}

async function recordSigned(needs: Needs, projectId: string, signed: Signed): Promise<Embedded> {
  const { records, credentials } = needs;
  const { upload, ingredientCids } = signed;
  const { digests, mimeType } = upload;
  const { cid: fileCid } = digests;
  const said = toBundle(signed.store, { fileCid, mimeType, knownCids: signed.knownCids });
  const extension = said.resources.find(({ cid }) => cid === fileCid)?.extensions?.[C2PA_EXTENSION];
  const activity = {
    input: toActivity(signed),
    upload,
    sentInputs: signed.inputCids,
    request: requestOf(signed),
    actionId: signed.actionId,
    found: { [C2PA_EXTENSION]: { ...(extension as JsonObject), ingredientCids } },
    inputsWereSeen: true,
  };
  const recorded = await credentials.times.time('record', () => recordActivity(records, projectId, activity));
  const isOurs = recorded.cid === fileCid;
  const store = isOurs ? signed.store : await readRecordedStore(needs, projectId, recorded.cid);
  return toAnswer(recorded, { store, inputCid: signed.media.digests.cid });
}

function toActivity({ input, performer, inputCids }: Signed): ActivityInput {
  const { aiTool, extensions, proof, timestamp, sessionId, resourceType, aiDisclosure } = input;
  const type = input.actionType ?? (aiDisclosure === 'ai_generated' ? 'generate' : 'transform');
  return {
    entity: { id: performer.id, role: performer.role },
    action: {
      id: input.actionId,
      type,
      inputCids: [...new Set(inputCids)],
      aiTool,
      extensions,
      proof,
      timestamp,
    },
    sessionId,
    resourceType,
  } as ActivityInput;
}

/** What was asked for, without how it was signed: credentials are kept nowhere, and every signature differs. */
export function requestOf({ input, media, parts }: Embedding): JsonObject {
  const { signingCertificate: _, signingKey: __, signingAlgorithm: ___, ...asked } = input;
  const digests = [...parts].map(([name, { digests }]) => [name, digests.contentDigest]);
  return {
    ...withoutAbsent(asked),
    contentDigest: media.digests.contentDigest,
    ...(digests.length === 0 ? {} : { parts: Object.fromEntries(digests) }),
  };
}

function toAnswer(
  recorded: Awaited<ReturnType<typeof recordActivity>>,
  { store, inputCid }: { store: ManifestStore; inputCid: string },
): Embedded {
  const { cid, actionId, entityId, mimeType, size, isNew, replayed } = recorded;
  const validation = toValidation(store);
  return {
    cid,
    actionId,
    entityId,
    mimeType,
    size,
    contentUrl: `/v1/resource/${cid}/content`,
    inputCid,
    manifest: toManifest(store),
    validation,
    display: toDisplay(store, validation),
    isNew,
    replayed,
  };
}
