import * as z from 'zod';
import { instantAnswer } from '../records/json-fields.js';
import { findAi } from './ai-detection.js';
import { type Identity, identitySchema, toIdentities } from './identity.js';
import type { ManifestStore } from './manifest-store.js';
import { present } from './present.js';
import { aiDisclosureSchema } from './provenance-assertion.js';
import type { StoredAction } from './stored-action.js';
import type { StoredIngredient, StoredManifest } from './stored-manifest.js';
import { timestampAuthorities } from './timestamp-authority.js';
import { toolText } from './tool.js';
import { wasAltered } from './validation-summary.js';

/** Most levels of ingredients of ingredients that are shown inside one another. */
export const MAX_MANIFEST_DEPTH = 24;

const manifestActionSchema = z.object({
  action: z.string(),
  when: instantAnswer.nullable(),
  softwareAgent: z.string().optional(),
  digitalSourceType: z.string().optional(),
  description: z.string().optional(),
});

const manifestSignatureSchema = z.object({
  issuer: z.string().nullable(),
  commonName: z.string().nullable(),
  algorithm: z.string().nullable(),
  time: instantAnswer.nullable().meta({ description: 'When a time-stamp authority saw the signature' }),
  timestampAuthority: z.string().optional(),
});

/** What a manifest says. Null is what the file does not say; `aiDisclosure` null is also: made by people alone. */
export interface Manifest {
  title: string | null;
  generator: string | null;
  aiDisclosure: z.output<typeof aiDisclosureSchema>;
  ingredients: ManifestIngredient[];
  actions: z.output<typeof manifestActionSchema>[];
  metadata: Record<string, unknown>;
  label: string;
  format: string | null;
  signature: z.output<typeof manifestSignatureSchema> | null;
  identities: Identity[];
  truncated?: true | undefined;
}

/** Content that went into a manifest's content, with the manifest that it brought along. */
export interface ManifestIngredient {
  title: string | null;
  format: string | null;
  instanceId: string | null;
  relationship: 'parentOf' | 'componentOf' | 'inputTo' | null;
  /** Whether that manifest failed its check when the content was used; null when nothing was recorded. */
  wasAltered: boolean | null;
  manifestLabel: string | null;
  /** Absent when there is none, and when it is shown elsewhere in the same answer: each is shown once. */
  manifest?: Manifest | undefined;
}

const ingredientSchema: z.ZodType<ManifestIngredient> = z
  .object({
    title: z.string().nullable(),
    format: z.string().nullable(),
    instanceId: z.string().nullable(),
    relationship: z.enum(['parentOf', 'componentOf', 'inputTo']).nullable(),
    wasAltered: z.boolean().nullable().meta({
      description: 'Whether its own manifest failed its check when it was used; null: not recorded',
    }),
    manifestLabel: z.string().nullable(),
    get manifest() {
      return manifestSchema.optional();
    },
  })
  .meta({ id: 'C2paIngredient' });

/** What a manifest says, as the wire has it (specification, "C2PA manifest (media)"). */
export const manifestSchema: z.ZodType<Manifest> = z
  .object({
    title: z.string().nullable(),
    generator: z.string().nullable().meta({ description: 'Tool that made the content' }),
    aiDisclosure: aiDisclosureSchema,
    ingredients: z.array(ingredientSchema),
    actions: z.array(manifestActionSchema),
    metadata: z.record(z.string(), z.unknown()),
    label: z.string(),
    format: z.string().nullable(),
    signature: manifestSignatureSchema.nullable(),
    identities: z
      .array(identitySchema)
      .meta({ description: 'Who put their name to it beside its signer (CAWG)' }),
    truncated: z.literal(true).optional().meta({ description: 'Present when not all of it is shown' }),
  })
  .meta({ id: 'C2paManifest' });

/**
 * The manifest of the specification: what the active manifest says, and inside each ingredient what its own manifest
 * says. Nothing is added: what the file does not say is null, or absent where the specification makes it optional.
 *
 * Each manifest is shown once, at the place nearest to the top: a diamond is not copied, a cycle ends, and the size
 * of the answer is that of the store. Further ingredients that have the same manifest name it by `manifestLabel`.
 * Below 24 levels manifests are left out; `truncated` at the top then is true, as when the store was cut.
 *
 * @example
 * const store = parseManifestStore({ active_manifest: 'a', manifests: { a: { title: 'Photo' } } });
 * toManifest(store).title; // => 'Photo'
 * toManifest(store).generator; // => null
 */
export function toManifest(store: ManifestStore): Manifest {
  const { active, manifests, isComplete } = store;
  const show = shower(store);
  const root = show(active);
  const shown = new Map([[active.label, root]]);
  let level: readonly StoredManifest[] = [active];
  for (let depth = 1; level.length > 0; depth += 1) {
    const within = depth > MAX_MANIFEST_DEPTH ? NO_MANIFESTS : manifests;
    const next = [...new Set(level.flatMap(({ ingredients }) => firstNamed(ingredients, within, shown)))];
    for (const manifest of next) shown.set(manifest.label, show(manifest));
    placeIngredients(level, new Set(next.map(({ label }) => label)), shown);
    level = next;
  }
  return isComplete && shown.size === manifests.size ? root : { ...root, truncated: true };
}

const NO_MANIFESTS: ReadonlyMap<string, StoredManifest> = new Map();

/** The manifests that these ingredients name and that nothing before them has named. */
function firstNamed(
  ingredients: readonly StoredIngredient[],
  manifests: ReadonlyMap<string, StoredManifest>,
  shown: ReadonlyMap<string, Manifest>,
): StoredManifest[] {
  const named = ingredients.flatMap(({ manifestLabel }) => manifests.get(manifestLabel ?? '') ?? []);
  return named.filter(({ label }) => !shown.has(label));
}

/** Puts the ingredients into the shown manifests of a level; each manifest of `unplaced` goes into the first. */
function placeIngredients(
  level: readonly StoredManifest[],
  unplaced: Set<string>,
  shown: ReadonlyMap<string, Manifest>,
): void {
  for (const { label, ingredients } of level) {
    for (const ingredient of ingredients) {
      const isFirst = unplaced.delete(ingredient.manifestLabel ?? '');
      const manifest = isFirst ? shown.get(ingredient.manifestLabel ?? '') : undefined;
      shown.get(label)?.ingredients.push(toIngredient(ingredient, manifest));
    }
  }
}

/** Shows a manifest of the store, its ingredients still missing. */
function shower(store: ManifestStore): (manifest: StoredManifest) => Manifest {
  const authorities = timestampAuthorities(store);
  const aiOf = findAi(store);
  return (manifest) => ({
    title: manifest.title ?? null,
    generator: manifest.generator === undefined ? null : toolText(manifest.generator),
    aiDisclosure: aiOf(manifest).disclosure,
    ingredients: [],
    actions: manifest.actions.map((action) => toAction(action)),
    metadata: { ...manifest.metadata },
    label: manifest.label,
    format: manifest.format ?? null,
    signature: toSignature(manifest.signature, authorities.get(manifest.label)),
    identities: toIdentities(store, manifest),
    ...(manifest.isComplete ? {} : { truncated: true as const }),
  });
}

function toAction({ action, when, softwareAgent, digitalSourceType, description }: StoredAction) {
  const agent = softwareAgent === undefined ? undefined : toolText(softwareAgent);
  return { action, when: when ?? null, ...present({ softwareAgent: agent, digitalSourceType, description }) };
}

function toSignature(signature: StoredManifest['signature'], timestampAuthority: string | undefined) {
  if (signature === undefined) return null;
  return {
    issuer: signature.issuer ?? null,
    commonName: signature.commonName ?? null,
    algorithm: signature.algorithm ?? null,
    time: signature.time ?? null,
    ...present({ timestampAuthority }),
  };
}

function toIngredient(ingredient: StoredIngredient, manifest: Manifest | undefined): ManifestIngredient {
  const { title, format, instanceId, relationship, manifestLabel, codes } = ingredient;
  return {
    title: title ?? null,
    format: format ?? null,
    instanceId: instanceId ?? null,
    relationship: relationship ?? null,
    wasAltered: codes.length === 0 ? null : wasAltered(codes),
    manifestLabel: manifestLabel ?? null,
    ...present({ manifest }),
  };
}
