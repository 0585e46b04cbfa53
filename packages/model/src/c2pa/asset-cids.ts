import { parseContentId } from '../content-id.js';
import { derivedContentId } from './derived-id.js';
import type { ManifestStore } from './manifest-store.js';
import type { StoredIngredient, StoredManifest } from './stored-manifest.js';
import { wasAltered } from './validation-summary.js';

export interface AssetCids {
  /** Each manifest follows the manifests of its ingredients. */
  readonly oldestFirst: readonly StoredManifest[];
  /** Throws RangeError for a manifest that is not in `oldestFirst`. */
  ofManifest(manifest: StoredManifest): string;
  /** Throws RangeError for an ingredient of a manifest that is not in `oldestFirst`. */
  ofIngredient(ingredient: StoredIngredient): string;
  /**
   * Returns the format that an ingredient states for the manifest's content. A claim of version 2 does not state it.
   */
  formatAsIngredient(manifest: StoredManifest): string | undefined;
  isOfManifest(cid: string): boolean;
  /** Whether the CID is not computed from the bytes, because they are unknown. */
  isDerived(cid: string): boolean;
}

export interface KnownCids {
  readonly fileCid: string;
  readonly knownCids?: ReadonlyMap<string, string> | undefined;
  readonly ignoresClaimedCids?: boolean | undefined;
}

/**
 * Assigns a CID to all content of a store. The file itself has `fileCid`. The content of every other manifest gets the
 * first of these CIDs that exists and that no other content has:
 *
 * 1. the CID in `knownCids` for the label of the manifest
 * 2. for an earlier version (`parentOf`): `metadata.inputCid` in the assertion `org.colophon.provenance` of the next
 *    version, unless `ignoresClaimedCids` is true
 * 3. a CID derived from the file's CID and the label
 *
 * For an ingredient without a manifest, step 1 does not apply. Step 3 uses the label of the manifest that contains it,
 * and its position.
 *
 * The manifest of an ingredient is ignored if it refers back to the content that contains the ingredient, or if the
 * ingredient was altered before its use. So no file can create a cycle in the history, or connect content with the
 * manifest of other content.
 */
export function nameAssets(
  store: ManifestStore,
  { fileCid, knownCids, ignoresClaimedCids }: KnownCids,
): AssetCids {
  const { oldestFirst, manifestOf } = orderManifests(store);
  const namer = createNamer(fileCid);
  const ofManifests = new Map([[store.active.label, fileCid]]);
  const ofIngredients = new Map<StoredIngredient, string>();
  for (const manifest of [...oldestFirst].reverse()) {
    for (const [index, ingredient] of manifest.ingredients.entries()) {
      const label = manifestOf.get(ingredient)?.label;
      const claimed = () =>
        namer.take(
          ignoresClaimedCids !== true && isParent(manifest, ingredient)
            ? manifest.metadata?.inputCid
            : undefined,
        );
      const cid =
        label === undefined
          ? (claimed() ?? namer.derive('ingredient', manifest.label, index))
          : (ofManifests.get(label) ??
            namer.take(knownCids?.get(label)) ??
            claimed() ??
            namer.derive('asset', label));
      if (label !== undefined) ofManifests.set(label, cid);
      ofIngredients.set(ingredient, cid);
    }
  }
  const cidsOfManifests = new Set(ofManifests.values());
  const formats = new Map([...manifestOf].map(([{ format }, { label }]) => [label, format]));
  return {
    oldestFirst,
    formatAsIngredient: ({ label }) => formats.get(label),
    isOfManifest: (cid) => cidsOfManifests.has(cid),
    ofManifest: ({ label }) => requireNamed(ofManifests.get(label)),
    ofIngredient: (ingredient) => requireNamed(ofIngredients.get(ingredient)),
    isDerived: namer.isDerived,
  };
}

/** `take` returns undefined for an invalid CID, and for a CID that is already assigned. */
function createNamer(fileCid: string) {
  const derived = new Set<string>();
  const taken = new Set([fileCid]);
  return {
    derive(kind: string, ...place: readonly [label: string, ...index: number[]]): string {
      const cid = derivedContentId(kind, [fileCid, ...place]);
      derived.add(cid);
      return cid;
    },
    take(text: unknown): string | undefined {
      const cid = typeof text === 'string' ? parseContentId(text) : undefined;
      if (cid === undefined || taken.has(cid)) return undefined;
      taken.add(cid);
      return cid;
    },
    isDerived: (cid: string) => derived.has(cid),
  };
}

function requireNamed(cid: string | undefined): string {
  if (cid === undefined)
    throw new RangeError('The manifest or ingredient does not belong to this manifest store');
  return cid;
}

/** `metadata.inputCid` refers to the first `parentOf` ingredient. */
function isParent({ ingredients }: StoredManifest, ingredient: StoredIngredient): boolean {
  return ingredients.find(({ relationship }) => relationship === 'parentOf') === ingredient;
}

/** Each manifest follows those of its ingredients. Uses a stack instead of recursion. */
function orderManifests({ active, manifests }: ManifestStore) {
  const oldestFirst: StoredManifest[] = [];
  const manifestOf = new Map<StoredIngredient, StoredManifest>();
  const open = new Set([active]);
  const seen = new Set([active]);
  const path = [{ manifest: active, rest: active.ingredients.values() }];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const { value: ingredient } = top.rest.next();
    if (ingredient === undefined) {
      open.delete(top.manifest);
      oldestFirst.push(top.manifest);
      path.pop();
      continue;
    }
    const next = manifests.get(ingredient.manifestLabel ?? '');
    if (next === undefined || open.has(next) || wasAltered(ingredient.codes)) continue;
    manifestOf.set(ingredient, next);
    if (seen.has(next)) continue;
    seen.add(next);
    open.add(next);
    path.push({ manifest: next, rest: next.ingredients.values() });
  }
  return { oldestFirst, manifestOf };
}
