import type { JsonObject } from '../canonical-json.js';
import { C2PA_EXTENSION } from '../extensions/c2pa.js';
import type { BundleContext } from './bundle-context.js';
import type { ResourceDraft } from './bundle-draft.js';
import { present } from './present.js';
import { toC2paExtension } from './resource-extension.js';
import type { StoredIngredient, StoredManifest } from './stored-manifest.js';
import { wasAltered } from './validation-summary.js';

/**
 * Key of the extension of an ingredient without its own manifest. The extension has the members `title`, `format`,
 * `instanceId`, `documentId`, `relationship`, `manifestLabel`, `wasAltered` and `isDerivedCid`. `isDerivedCid` is true
 * if the CID is derived, because the bytes are unknown. Content with its own manifest has this extension only if its
 * CID is derived. `isDerivedCid` is then the single member.
 */
export const C2PA_INGREDIENT_EXTENSION = 'ext:c2pa:ingredient@1.0.0';

/**
 * Returns the resources in this order: stored thumbnails, ingredients without a manifest, the manifest's own content.
 */
export function readResources(context: BundleContext, manifest: StoredManifest): ResourceDraft[] {
  const { assets } = context;
  const others = manifest.ingredients.filter(
    (ingredient) => !assets.isOfManifest(assets.ofIngredient(ingredient)),
  );
  return [
    ...thumbnailResources(context, manifest),
    ...others.map((ingredient) => ingredientResource(context, ingredient)),
    assetResource(context, manifest),
  ];
}

function assetResource(context: BundleContext, manifest: StoredManifest): ResourceDraft {
  const { assets, options, store } = context;
  const cid = assets.ofManifest(manifest);
  const given = manifest === store.active ? options.mimeType : undefined;
  const format = given ?? manifest.format ?? assets.formatAsIngredient(manifest);
  const isDerivedCid = assets.isDerived(cid);
  const derivation = isDerivedCid ? { [C2PA_INGREDIENT_EXTENSION]: { isDerivedCid } } : {};
  return {
    cid,
    type: typeOfFormat(format),
    ...present({ mimeType: format }),
    locations: [],
    extensions: { [C2PA_EXTENSION]: toC2paExtension(context, manifest), ...derivation },
  };
}

function ingredientResource({ assets }: BundleContext, ingredient: StoredIngredient): ResourceDraft {
  const { title, format, instanceId, documentId, relationship, manifestLabel, codes } = ingredient;
  const cid = assets.ofIngredient(ingredient);
  const extension: JsonObject = {
    ...present({ title, format, instanceId, documentId, relationship, manifestLabel }),
    ...(wasAltered(codes) ? { wasAltered: true } : {}),
    isDerivedCid: assets.isDerived(cid),
  };
  return {
    cid,
    type: typeOfFormat(format),
    ...present({ mimeType: format }),
    locations: [],
    extensions: { [C2PA_INGREDIENT_EXTENSION]: extension },
  };
}

function thumbnailResources({ options }: BundleContext, { thumbnail, ingredients }: StoredManifest) {
  const identifiers = [thumbnail, ...ingredients.map((ingredient) => ingredient.thumbnail)];
  const cids = identifiers.flatMap((identifier) => options.thumbnailCids?.get(identifier ?? '') ?? []);
  return cids.map((cid): ResourceDraft => ({ cid, type: 'image', locations: [] }));
}

function typeOfFormat(format = ''): string {
  const kind = format.split('/')[0] ?? '';
  return ['image', 'audio', 'video', 'text'].includes(kind) ? kind : 'other';
}
