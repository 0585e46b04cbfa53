import {
  AI_EXTENSION,
  type Bundle,
  C2PA_EXTENSION,
  type Manifest,
  type MediaExtraction,
  type MediaImport,
  type Validation,
} from '@colophon/model';
import { z } from 'zod';
import {
  objectOf,
  provenanceKitActionSchema,
  provenanceKitAttributionSchema,
  provenanceKitEntitySchema,
  provenanceKitResourceSchema,
  toProvenanceKitAction,
  toProvenanceKitAttribution,
  toProvenanceKitEntity,
  toProvenanceKitResource,
} from './record-schemas.js';

const text = z.string().optional();
const texts = z.array(z.string());
const statusSchema = z.object({ isValid: z.boolean(), errors: texts, warnings: texts });
const signatureSchema = z.object({ algorithm: text, issuer: text, timestamp: text });
const disclosureSchema = z.object({ isAIGenerated: z.boolean().optional(), aiTool: text });
const manifestSchema = z
  .looseObject({
    manifestLabel: z.string(),
    claimGenerator: z.string(),
    title: text,
    format: text,
    actions: z.array(z.looseObject({ action: z.string() })),
    ingredients: z.array(z.looseObject({ title: z.string() })),
    signature: signatureSchema.optional(),
    validationStatus: statusSchema,
    aiDisclosure: disclosureSchema,
  })
  .meta({ id: 'PublishedManifest' });

export const readSchema = z
  .object({
    hasManifest: z.boolean(),
    message: text,
    c2pa: manifestSchema.optional(),
    resource: provenanceKitResourceSchema.optional(),
    actions: z.array(provenanceKitActionSchema).optional(),
    entities: z.array(provenanceKitEntitySchema).optional(),
    attributions: z.array(provenanceKitAttributionSchema).optional(),
    isAIGenerated: z.boolean().optional(),
    validationStatus: statusSchema.optional(),
  })
  .meta({ id: 'PublishedMediaRead' });

export const verifySchema = z
  .object({
    verified: z.boolean(),
    signature: signatureSchema.optional(),
    issuer: text,
    signedAt: text,
    errors: texts.optional(),
    warnings: texts.optional(),
    error: text,
  })
  .meta({ id: 'PublishedMediaVerification' });

const count = z.int().nonnegative();

export const importSchema = z
  .object({
    success: z.literal(true),
    cid: z.string(),
    imported: z.object({ entities: count, actions: count, resource: count, attributions: count }),
    c2pa: z.object({ title: text, isAIGenerated: z.boolean(), creator: texts }),
  })
  .meta({ id: 'PublishedMediaImport' });

export const aiCheckSchema = z
  .object({
    hasC2PA: z.boolean(),
    isAIGenerated: z.boolean().nullable(),
    message: text,
    aiTool: text,
    disclosure: disclosureSchema.optional(),
  })
  .meta({ id: 'PublishedAiCheck' });

const NO_MANIFEST = 'This file has no Content Credentials.';

/** Shows an invalid manifest with `isValid: false` in its status, and without records. */
export function toReadResult(reading: MediaExtraction): z.input<typeof readSchema> {
  const { manifest, unverifiedManifest, validation, bundle, aiDetection, cid } = reading;
  const shown = manifest ?? unverifiedManifest;
  if (validation === null) return { hasManifest: false, message: NO_MANIFEST };
  const validationStatus = toStatus(validation);
  const isAIGenerated = aiDetection?.isAIGenerated ?? false;
  const resource = bundle?.resources.find((one) => one.cid === cid);
  return {
    hasManifest: true,
    ...(shown === undefined ? {} : { c2pa: toC2pa(shown, { validationStatus, isAIGenerated }) }),
    ...(resource === undefined ? {} : { resource: toProvenanceKitResource(resource) }),
    ...(bundle === null
      ? {}
      : {
          actions: bundle.actions.map((action) => toProvenanceKitAction(action)),
          entities: bundle.entities.map(toProvenanceKitEntity),
          attributions: bundle.attributions.map((one) => toProvenanceKitAttribution(one)),
        }),
    isAIGenerated,
    validationStatus,
  };
}

/** An unknown signer is only a warning. */
export function toVerifyResult(reading: MediaExtraction): z.input<typeof verifySchema> {
  const { manifest, unverifiedManifest, validation } = reading;
  if (validation === null) return { verified: false, error: NO_MANIFEST };
  const { isValid, errors, warnings } = toStatus(validation);
  const signature = toSignature((manifest ?? unverifiedManifest)?.signature ?? null);
  return {
    verified: isValid,
    ...(signature === undefined
      ? {}
      : { signature, issuer: signature.issuer, signedAt: signature.timestamp }),
    ...{ errors, warnings },
    ...(isValid ? {} : { error: validation.summary }),
  };
}

export function toImportResult(
  { cid, entityIds, actionIds }: MediaImport,
  { manifest, bundle, aiDetection }: MediaExtraction,
): z.input<typeof importSchema> {
  const creators = (bundle?.attributions ?? []).filter(({ role }) => role === 'creator');
  const names = new Map((bundle?.entities ?? []).map(({ id, name }) => [id, name ?? id]));
  return {
    success: true,
    cid,
    imported: {
      entities: entityIds.length,
      actions: actionIds.length,
      resource: 1,
      attributions: bundle?.attributions.length ?? 0,
    },
    c2pa: {
      ...(manifest?.title == null ? {} : { title: manifest.title }),
      isAIGenerated: aiDetection?.isAIGenerated ?? false,
      creator: [...new Set(creators.map(({ entityId }) => names.get(entityId) ?? entityId))],
    },
  };
}

/**
 * The recorded C2PA extension of the file decides; without it, a recorded AI tool. The tool always comes from the
 * actions that made the file.
 */
export function toAiCheck({ cid, resources, actions }: Bundle): z.input<typeof aiCheckSchema> {
  const c2pa = objectOf(resources.find((resource) => resource.cid === cid)?.extensions?.[C2PA_EXTENSION]);
  const making = actions.filter(({ outputCids }) => outputCids.includes(cid));
  const [tool] = making.flatMap(({ extensions }) => toTool(extensions[AI_EXTENSION]) ?? []);
  const aiTool = tool === undefined ? {} : { aiTool: tool };
  if (c2pa !== undefined) {
    const isAIGenerated = c2pa.aiDisclosure === 'ai_generated';
    return { hasC2PA: true, isAIGenerated, ...aiTool, disclosure: { isAIGenerated, ...aiTool } };
  }
  return tool === undefined
    ? { hasC2PA: false, isAIGenerated: null, message: 'No AI tool is recorded.' }
    : { hasC2PA: false, isAIGenerated: true, message: 'An AI tool is recorded.', ...aiTool };
}

function toTool(value: unknown): string | undefined {
  const ai = objectOf(value);
  const { provider, model } = objectOf(ai?.tool) ?? ai ?? {};
  return typeof provider === 'string' && typeof model === 'string' ? `${provider}/${model}` : undefined;
}

function toStatus({ state, codes, summary }: Validation): z.output<typeof statusSchema> {
  const failures = [...new Set(codes.filter(({ kind }) => kind === 'failure').map(({ code }) => code))];
  if (state === 'invalid') return { isValid: false, errors: failures, warnings: [] };
  return { isValid: true, errors: [], warnings: state === 'trusted' ? [] : [summary, ...failures] };
}

function toC2pa(
  { label, generator, title, format, actions, ingredients, signature }: Manifest,
  verdict: { validationStatus: z.output<typeof statusSchema>; isAIGenerated: boolean },
): z.input<typeof manifestSchema> {
  const signed = toSignature(signature);
  return {
    manifestLabel: label,
    claimGenerator: generator ?? '',
    ...(title === null ? {} : { title }),
    ...(format === null ? {} : { format }),
    actions: actions.map(({ when, softwareAgent: name, ...action }) => ({
      ...action,
      ...(when === null ? {} : { when }),
      ...(name === undefined ? {} : { softwareAgent: { name } }),
    })),
    ingredients: ingredients.map((ingredient) => ({
      title: ingredient.title ?? '',
      ...(ingredient.format === null ? {} : { format: ingredient.format }),
      ...(ingredient.relationship === null ? {} : { relationship: ingredient.relationship }),
    })),
    ...(signed === undefined ? {} : { signature: signed }),
    validationStatus: verdict.validationStatus,
    aiDisclosure: { isAIGenerated: verdict.isAIGenerated },
  };
}

function toSignature(signature: Manifest['signature']): z.output<typeof signatureSchema> | undefined {
  if (signature === null) return undefined;
  const { algorithm, issuer, time } = signature;
  return {
    ...(algorithm === null ? {} : { algorithm }),
    ...(issuer === null ? {} : { issuer }),
    ...(time === null ? {} : { timestamp: time }),
  };
}
