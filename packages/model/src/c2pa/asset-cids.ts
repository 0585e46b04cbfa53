import { parseContentId } from '../content-id.js';
import { derivedContentId } from './derived-id.js';
import type { ManifestStore } from './manifest-store.js';
import type { StoredIngredient, StoredManifest } from './stored-manifest.js';
import { wasAltered } from './validation-summary.js';

/** The identifiers of all content of a store. */
export interface AssetCids {
  /** The manifests, each after those whose content it uses. */
  readonly oldestFirst: readonly StoredManifest[];
  /** The CID of a manifest's own content, or of an ingredient. Throws RangeError for an unlisted one. */
  ofManifest(manifest: StoredManifest): string;
  ofIngredient(ingredient: StoredIngredient): string;
  /**
   * The format of a manifest's content, from the ingredients that refer to it; claims of version 2 do not state their
   * own.
   */
  formatAsIngredient(manifest: StoredManifest): string | undefined;
  /** Whether a CID identifies a manifest's own content. */
  isOfManifest(cid: string): boolean;
  /** Whether a CID was derived here, because the bytes are unknown. */
  isDerived(cid: string): boolean;
}

/** Facts about the content from outside of the store. */
export interface KnownCids {
  readonly fileCid: string;
  readonly knownCids?: ReadonlyMap<string, string> | undefined;
  readonly ignoresClaimedCids?: boolean | undefined;
}

/**
 * Assigns a CID to all content of a store. The file itself has `fileCid`. The content of another manifest has, in
 * this order: the CID in `knownCids` for its label; the CID in the assertion `org.colophon.provenance` of the file
 * made from it (`metadata.inputCid`); a CID derived from the file's CID and the label. The CID of an ingredient
 * without a manifest is derived from its position.
 *
 * Each CID identifies one content only. An ingredient counts as one without a manifest when its manifest leads back
 * to the content that it is part of, or when the content was altered afterwards. Thus no file can put a cycle into
 * the history, or join content to the manifest of other content.
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

/** Assigns each CID once. */
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

/** The input of an embedding by this service is the earlier version. */
function isParent({ ingredients }: StoredManifest, ingredient: StoredIngredient): boolean {
  return ingredients.find(({ relationship }) => relationship === 'parentOf') === ingredient;
}

/** Depth first without recursion: a manifest follows all manifests that it is made from. */
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
