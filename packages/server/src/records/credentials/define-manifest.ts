import {
  type EmbedInput,
  type JsonObject,
  type ManifestParts,
  type StoredSoftBinding,
  toManifestDefinition,
} from '@colophon/model';
import { ZodError } from 'zod';
import { bodyFault } from '../../body-fault.js';
import { findFormat } from '../../media/formats.js';
import type { SignRequest } from '../../media/media-engine.js';
import { withoutAbsent } from '../draft/draft-records.js';
import type { Embedding } from './embedding.js';
import type { GatheredIngredient } from './gather-ingredients.js';

interface ManifestDefinitionOptions {
  actionId: string;
  ingredients: readonly GatheredIngredient[];
  aiTrainingOptOut: boolean;
  fingerprint?: StoredSoftBinding | undefined;
}

/** Default of `trainingMining` for a project that has opted out of AI training. */
const NO_TRAINING: EmbedInput['trainingMining'] = {
  aiGenerativeTraining: { use: 'notAllowed' },
  aiTraining: { use: 'notAllowed' },
  dataMining: { use: 'notAllowed' },
};

/** Returns the `ingredients` that the engine can read. The definition contains the other ingredients. */
export function defineManifest(
  embedding: Embedding,
  options: ManifestDefinitionOptions,
): Pick<SignRequest, 'definition' | 'ingredients'> {
  const { ingredients } = options;
  const { definition, ingredients: described } = define(embedding, options);
  return {
    definition: { ...definition, ...nameOnly(ingredients, described) },
    ingredients: ingredients.flatMap(({ path, mediaType }, index) =>
      isMedia(mediaType) ? [{ json: described[index]?.json ?? {}, path, mediaType }] : [],
    ),
  };
}

function define(
  { input, media, watermarked }: Embedding,
  { actionId, ingredients, aiTrainingOptOut, fingerprint }: ManifestDefinitionOptions,
) {
  const { title, generator, aiDisclosure, actions, metadata, timestamp } = input;
  const trainingMining = input.trainingMining ?? (aiTrainingOptOut ? NO_TRAINING : undefined);
  const parts = {
    ...withoutAbsent({ title: title ?? undefined, trainingMining }),
    generator,
    aiDisclosure,
    actions,
    ingredients: ingredients.map(({ said }) => said),
    metadata: { ...metadata, inputCid: media.digests.cid, actionId },
  };
  try {
    const when = timestamp ?? new Date().toISOString();
    return toManifestDefinition(parts as ManifestParts, {
      when,
      watermark: watermarked?.binding,
      fingerprint,
    });
  } catch (error) {
    throw error instanceof ZodError ? bodyFault(error, parts) : error;
  }
}

const isMedia = (mediaType: string) => findFormat(mediaType)?.read === true;

/** Returns the ingredients that the engine cannot read, such as a prompt. */
function nameOnly(
  ingredients: readonly GatheredIngredient[],
  described: readonly { json: JsonObject }[],
): { ingredients?: JsonObject[] } {
  const named = ingredients.flatMap(({ mediaType }, index) =>
    isMedia(mediaType) ? [] : [{ ...described[index]?.json, format: mediaType }],
  );
  return named.length === 0 ? {} : { ingredients: named };
}
