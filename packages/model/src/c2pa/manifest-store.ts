import * as z from 'zod';
import { lenientLabel, lenientList, lenientText } from './lenient-fields.js';
import { type StatusCode, statusCodesOf } from './status-code.js';
import { readManifest, type StoredIngredient, type StoredManifest } from './stored-manifest.js';

/** Maximum number of manifests of one file. The manifests nearest to the active one come first. */
const MAX_MANIFESTS = 1000;

/** Maximum number of ingredients of one file. The same limit applies to its actions. */
const MAX_ITEMS = 10_000;
/** Maximum number of ingredients of one manifest. The same limit applies to its actions. */
const MAX_ITEMS_OF_MANIFEST = 1000;

/** Error for JSON that is not a manifest store: not an object, without manifests, or without its active manifest. */
export class ManifestStoreError extends TypeError {
  override name = 'ManifestStoreError';
}

/** The manifest store of a file. Every field has the declared type and a limited size. */
export interface ManifestStore {
  /** The manifest of the file itself. */
  readonly active: StoredManifest;
  /**
   * The active manifest and the manifests to which it refers directly or indirectly, at most 1000 in total. The keys
   * are labels. The order is breadth first.
   */
  readonly manifests: ReadonlyMap<string, StoredManifest>;
  /** The validation state that c2pa-rs returned, unchanged. */
  readonly engineState: string | undefined;
  /**
   * Status codes of the active manifest. The codes of an ingredient are included only if they differ from the codes that
   * its ingredient assertion recorded.
   */
  readonly codes: readonly StatusCode[];
  /** Whether the store has all manifests that the active manifest reaches, and all their parts and codes. */
  readonly isComplete: boolean;
}

const storeSchema = z.object({
  active_manifest: lenientLabel,
  manifests: z.custom<Record<string, unknown>>(isObject),
  validation_state: lenientText(64),
  validation_results: z.unknown().optional(),
  validation_status: lenientList,
});

/**
 * Parses the JSON of c2pa-rs's `Reader` (a value, not text), for claims of version 1 and 2. The JSON comes from the
 * file, so it is untrusted.
 *
 * A field of the wrong type counts as absent. Text is truncated to at most 1000 characters and then ends with `…`. A
 * label over 512 characters is dropped. Metadata that cannot be stored (over 65,536 characters, more than 32 levels, a
 * member `__proto__`) is dropped. The result has at most 1000 manifests. Each manifest has at most 1000 ingredients and
 * 1000 actions, and its actions together refer to ingredients at most 2000 times. It has at most 100 authors, 100
 * identities and 100 soft bindings, from at most 1000 assertions. In total, there are at most 10,000 ingredients and
 * 10,000 actions. The store and each ingredient have at most 10,000 status codes. `isComplete` is false when the file
 * had more.
 *
 * Throws ManifestStoreError for a value that is not a manifest store.
 *
 * @example
 * const store = parseManifestStore({ active_manifest: 'a', manifests: { a: { title: 'Photo' } } });
 * store.active.title; // => 'Photo'
 */
export function parseManifestStore(json: unknown): ManifestStore {
  const parsed = storeSchema.safeParse(json);
  if (!parsed.success)
    throw new ManifestStoreError(
      'Expected a manifest store: a JSON object with `active_manifest` and `manifests`',
    );
  const { active_manifest: label, manifests: raw, validation_state: engineState } = parsed.data;
  const manifests = readReached(label ?? '', raw);
  const active = manifests.get(label ?? '');
  if (active === undefined) throw new ManifestStoreError('The manifest store lacks its active manifest');
  const isRead = ({ manifestLabel }: StoredIngredient) =>
    manifestLabel === undefined || manifests.has(manifestLabel) || !isObject(ownMember(raw, manifestLabel));
  const codes = statusCodesOf(parsed.data.validation_results, parsed.data.validation_status);
  const isWhole = [...manifests.values()].every(
    ({ isComplete, ingredients }) => isComplete && ingredients.every((ingredient) => isRead(ingredient)),
  );
  const isComplete = isWhole && codes.isComplete;
  return { active, manifests, engineState, codes: codes.codes, isComplete };
}

/** Breadth first, so that the limit drops the manifests farthest from the active one. */
function readReached(activeLabel: string, raw: Record<string, unknown>): Map<string, StoredManifest> {
  const reached = new Map<string, StoredManifest>();
  let ingredients = MAX_ITEMS;
  let actions = MAX_ITEMS;
  const labels = new Set([activeLabel]);
  for (const label of labels) {
    const json = ownMember(raw, label);
    if (reached.size === MAX_MANIFESTS || !isObject(json)) continue;
    const room = {
      ingredients: Math.min(ingredients, MAX_ITEMS_OF_MANIFEST),
      actions: Math.min(actions, MAX_ITEMS_OF_MANIFEST),
    };
    const manifest = readManifest(label, json, room);
    ingredients -= manifest.ingredients.length;
    actions -= manifest.actions.length;
    reached.set(label, manifest);
    for (const { manifestLabel } of manifest.ingredients)
      if (manifestLabel !== undefined) labels.add(manifestLabel);
  }
  return reached;
}

function ownMember(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
