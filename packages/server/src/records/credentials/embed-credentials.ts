import { createReadStream } from 'node:fs';
import {
  type ActivityInput,
  C2PA_EXTENSION,
  type EmbedInput,
  type Entity,
  entitySchema,
  type JsonObject,
  type ManifestParts,
  type ManifestStore,
  type MediaEmbedding,
  parseManifestStore,
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
import { withoutAbsent } from '../draft-records.js';
import type { RecordNeeds } from '../needs.js';
import { recordActivity } from '../record-activity.js';
import { readStoredEntity } from '../records.sql.js';
import { stageUpload } from '../stage-upload.js';
import { chooseSigner } from './choose-signer.js';
import { type GatheredIngredient, gatherIngredients } from './gather-ingredients.js';
import type { CredentialNeeds } from './needs.js';
import { anchorsOf, readCredentials } from './read-credentials.js';
import { readRecordedStore } from './read-recorded.js';
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
  const performer = await requireEntity(needs.records, projectId, input.entityId);
  assertDisclosed(input, performer);
  const signer = await chooseSigner(needs.credentials, projectId, input);
  const actionId = input.actionId ?? uuidv7();
  const gathered = await gatherIngredients(needs.records, projectId, embedding);
  const parent = await readParent(needs.credentials, projectId, media);
  assertOneParent(parent !== undefined, input);
  const ingredients = [...(parent === undefined ? [] : [parent.ingredient]), ...gathered];
  const { aiTrainingOptOut } = await needs.credentials.readSettings(projectId);
  const { definition, ingredients: described } = define(embedding, {
    actionId,
    ingredients,
    aiTrainingOptOut,
  });
  const trustAnchorsPem = await anchorsOf(needs.credentials, projectId);
  const outputPath = media.besides('signed');
  const engine = await needs.credentials.engine.get();
  const signed = await engine.sign({
    path: media.path,
    outputPath,
    mediaType: media.mediaType,
    definition,
    ingredients: ingredients.map(({ path, mediaType }, index) => ({
      json: described[index]?.json ?? {},
      path,
      mediaType,
    })),
    thumbnail: true,
    signer,
    tenant: projectId,
    ...(trustAnchorsPem === undefined ? {} : { trustAnchorsPem }),
  });
  const store = parseManifestStore(signed.store);
  return recordSigned(needs, projectId, {
    ...embedding,
    performer,
    actionId,
    outputPath,
    store,
    inputCids: [media.digests.cid, ...gathered.map(({ said }) => said.cid)],
    ingredientCids: ingredients.map(({ said }) => said.cid),
    knownCids: new Map(parent === undefined ? [] : [[parent.label, media.digests.cid]]),
  });
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
function assertDisclosed({ aiDisclosure, aiTool, actionType }: EmbedInput, { role }: Entity): void {
  if (aiDisclosure !== null) return;
  const why =
    role === 'ai'
      ? 'the entity is an AI'
      : aiTool !== undefined
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

/** The file itself as the earlier version, when it has a manifest: its history is kept. */
async function readParent(
  needs: CredentialNeeds,
  projectId: string,
  media: StagedMedia,
): Promise<{ ingredient: GatheredIngredient; label: string } | undefined> {
  const { store } = await readCredentials(needs, projectId, media);
  if (store === undefined) return undefined;
  const { title, label } = store.active;
  return {
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
  outputPath: string;
  store: ManifestStore;
  inputCids: readonly string[];
  ingredientCids: string[];
  knownCids: ReadonlyMap<string, string>;
}

async function recordSigned(needs: Needs, projectId: string, signed: Signed): Promise<Embedded> {
  const { records } = needs;
  const upload = await stageUpload(records.blobs, projectId, createReadStream(signed.outputPath));
  try {
    const { digests, mimeType } = upload;
    const { cid: fileCid } = digests;
    const said = toBundle(signed.store, { fileCid, mimeType, knownCids: signed.knownCids });
    const extension = said.resources.find(({ cid }) => cid === fileCid)?.extensions?.[C2PA_EXTENSION];
    const { ingredientCids } = signed;
    const recorded = await recordActivity(records, projectId, {
      input: toActivity(signed),
      upload,
      sentInputs: signed.inputCids,
      request: requestOf(signed),
      actionId: signed.actionId,
      found: { [C2PA_EXTENSION]: { ...(extension as JsonObject), ingredientCids } },
      inputsWereSeen: true,
    });
    const isOurs = recorded.cid === fileCid;
    const store = isOurs ? signed.store : await readRecordedStore(needs, projectId, recorded.cid);
    return toAnswer(recorded, { store, inputCid: signed.media.digests.cid });
  } finally {
    await upload.discard();
  }
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
function requestOf({ input, media }: Signed): JsonObject {
  const { signingCertificate: _, signingKey: __, signingAlgorithm: ___, ...asked } = input;
  return { ...withoutAbsent(asked), contentDigest: media.digests.contentDigest };
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
