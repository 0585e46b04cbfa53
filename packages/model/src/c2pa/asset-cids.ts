import { parseContentId } from '../content-id.js';
import { derivedContentId } from './derived-id.js';
import type { ManifestStore } from './manifest-store.js';
import type { StoredIngredient, StoredManifest } from './stored-manifest.js';
import { wasAltered } from './validation-summary.js';

/** How content of a store is named. */
export interface AssetCids {
  /** The manifests, each before those that are made from its content. */
  readonly oldestFirst: readonly StoredManifest[];
  /** The CID of a manifest's own content, or of an ingredient's. Throws RangeError for one that is not listed. */
  ofManifest(manifest: StoredManifest): string;
  ofIngredient(ingredient: StoredIngredient): string;
  /** The format of a manifest's content as what was made from it says; claims of version 2 do not say their own. */
  formatAsIngredient(manifest: StoredManifest): string | undefined;
  /** Whether a CID is of a manifest's own content. */
  isOfManifest(cid: string): boolean;
  /** Whether a CID was derived here, because nobody knows the bytes. */
  isDerived(cid: string): boolean;
}

/** What is known of the content outside of the store. */
export interface KnownCids {
  readonly fileCid: string;
  readonly knownCids?: ReadonlyMap<string, string> | undefined;
  readonly ignoresClaimedCids?: boolean | undefined;
}

/**
 * Names all content of a store. The file itself is `fileCid`; the content of another manifest is what `knownCids` has
 * for its label, else what our own assertion in the file made from it says (`metadata.inputCid`), else derived from
 * the file's CID and the label. An ingredient that brought no manifest is derived from its place.
 *
 * Each CID names one content only, and an ingredient counts as without a manifest when that manifest leads back to
 * what it is part of, or when the content was altered after it: so the history has no cycle and joins no content to
 * a manifest that is of other content, whatever a file says.
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

/** Gives each CID away once. */
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
  if (cid === undefined) throw new RangeError('This content is not of the store');
  return cid;
}

/** The input of our own embedding is the earlier version. */
function isParent({ ingredients }: StoredManifest, ingredient: StoredIngredient): boolean {
  return ingredients.find(({ relationship }) => relationship === 'parentOf') === ingredient;
}

/** Depth first without recursion: a manifest is done when all that it is made from is. */
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
