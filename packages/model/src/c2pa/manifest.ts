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

const MAX_MANIFEST_DEPTH = 24;

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
  time: instantAnswer
    .nullable()
    .meta({ description: 'Time at which a time-stamp authority confirmed the signature' }),
  timestampAuthority: z.string().optional(),
});

/**
 * The content of a manifest. Null means that the file does not state the value. For `aiDisclosure`, null can also
 * mean that the file states that people alone made the content.
 */
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

/**
 * Content from which somebody made the content that a manifest describes. `manifest` is the ingredient's own manifest.
 */
export interface ManifestIngredient {
  title: string | null;
  format: string | null;
  instanceId: string | null;
  relationship: 'parentOf' | 'componentOf' | 'inputTo' | null;
  /**
   * Whether the check of the ingredient's own manifest failed when the ingredient was used. Null when no result was
   * recorded.
   */
  wasAltered: boolean | null;
  manifestLabel: string | null;
  /** Absent if there is no manifest, if it is elsewhere in the response, or if the response leaves it out. */
  manifest?: Manifest | undefined;
}

const ingredientSchema: z.ZodType<ManifestIngredient> = z
  .object({
    title: z.string().nullable(),
    format: z.string().nullable(),
    instanceId: z.string().nullable(),
    relationship: z.enum(['parentOf', 'componentOf', 'inputTo']).nullable(),
    wasAltered: z.boolean().nullable().meta({
      description:
        'Whether the check of the ingredient’s own manifest failed when the ingredient was used; null when no result was recorded',
    }),
    manifestLabel: z.string().nullable(),
    get manifest() {
      return manifestSchema.optional();
    },
  })
  .meta({ id: 'C2paIngredient' });

/** Schema of the content of a manifest in JSON (the service's specification, "C2PA manifest (media)"). */
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
    identities: z.array(identitySchema).meta({
      description: 'People and organisations that signed the manifest in addition to its signer (CAWG)',
    }),
    truncated: z.literal(true).optional().meta({
      description: 'Present when parts of the manifest were left out, because the file exceeds a limit',
    }),
  })
  .meta({ id: 'C2paManifest' });

/**
 * Converts a store to the manifest of the service's specification: the content of the active manifest, and in each
 * ingredient the content of the ingredient's own manifest. The function adds nothing: a value that the file does not
 * state is null, or absent where the specification makes it optional. Each manifest is in the response once, as near to
 * the active manifest as possible. So a manifest that several ingredients share is not copied, a cycle ends, and the
 * response does not grow beyond the size of the store. Further ingredients with the same manifest refer to it by
 * `manifestLabel`. Manifests deeper than 24 levels are left out. `truncated` at the top is true when this function left
 * out manifests, or when the store is not complete.
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

/** Omits manifests that the response already contains. */
function firstNamed(
  ingredients: readonly StoredIngredient[],
  manifests: ReadonlyMap<string, StoredManifest>,
  shown: ReadonlyMap<string, Manifest>,
): StoredManifest[] {
  const named = ingredients.flatMap(({ manifestLabel }) => manifests.get(manifestLabel ?? '') ?? []);
  return named.filter(({ label }) => !shown.has(label));
}

/** A manifest in `unplaced` is placed in the first ingredient that refers to it. */
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
