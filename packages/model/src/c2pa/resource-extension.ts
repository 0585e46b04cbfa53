import type { JsonObject } from '../canonical-json.js';
import { type AiFinding, findAi } from './ai-detection.js';
import type { BundleContext } from './bundle-context.js';
import { derivedContentId } from './derived-id.js';
import type { ManifestStore } from './manifest-store.js';
import { present } from './present.js';
import type { AiDisclosure } from './provenance-assertion.js';
import { signerName } from './signer-name.js';
import type { StoredIngredient, StoredManifest } from './stored-manifest.js';
import { toolText } from './tool.js';
import { toValidation } from './validation.js';

const MAX_INGREDIENTS = 100;

/**
 * Has all members of the service's specification, and further members with names of the ProvenanceKit extension set.
 * `ingredients` has the first 100. `validSignature` is present only for the file's own manifest, because no other
 * manifest was checked.
 */
export function toC2paExtension(context: BundleContext, manifest: StoredManifest): JsonObject {
  const { assets, options } = context;
  const { ingredients, label } = manifest;
  const manifestCid = manifest === context.store.active ? options.manifestCid : undefined;
  return {
    ...describeManifest(context, manifest),
    manifestCid: manifestCid ?? deriveManifestCid(options.fileCid, label),
    ingredientCids: [...new Set(ingredients.map((ingredient) => assets.ofIngredient(ingredient)))],
  };
}

/**
 * Returns the extension `ext:c2pa@1.0.0` for the file of a store, without the members `manifestCid` and
 * `ingredientCids`. Its other members do not depend on the CID of the file, so the caller need not know the CID yet.
 * `toBundle` returns the whole extension.
 *
 * @example
 * const data = { actions: [{ action: 'c2pa.created' }] };
 * const manifests = { a: { title: 'Photo', assertions: [{ label: 'c2pa.actions', data }] } };
 * const store = parseManifestStore({ active_manifest: 'a', manifests });
 * const { title, actions } = toFileExtension(store);
 * title; // => 'Photo'
 * actions; // => ['c2pa.created']
 */
export function toFileExtension(store: ManifestStore): JsonObject & { manifestLabel: string } {
  return describeManifest({ store, aiOf: findAi(store) }, store.active);
}

/**
 * Derives a content id for a manifest with unknown bytes.
 *
 * @example
 * const fileCid = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';
 * deriveManifestCid(fileCid, 'a') === deriveManifestCid(fileCid, 'b'); // => false
 */
export function deriveManifestCid(fileCid: string, label: string): string {
  return derivedContentId('manifest', [fileCid, label]);
}

/** These members do not depend on the CID of the file. */
function describeManifest(
  { store, aiOf }: Pick<BundleContext, 'store' | 'aiOf'>,
  manifest: StoredManifest,
): JsonObject & { manifestLabel: string } {
  const { generator, signature, ingredients, actions, label } = manifest;
  return {
    ...present({ generator: generator && toolText(generator), signedBy: signerName(signature) }),
    ...present({ aiDisclosure: toDisclosure(aiOf(manifest)) }),
    actions: actions.map(({ action }) => action),
    ...(manifest === store.active ? toVerdict(store) : {}),
    manifestLabel: label,
    ...present({
      claimGenerator: generator?.name,
      claimGeneratorVersion: generator?.version,
      title: manifest.title,
      format: manifest.format,
      instanceId: manifest.instanceId,
      signature: toSignature(manifest),
      metadata: manifest.metadata,
    }),
    ingredients: ingredients.slice(0, MAX_INGREDIENTS).map((ingredient) => toIngredient(ingredient)),
  };
}

/** Returns null if people alone made the content, and undefined if nothing is stated. */
function toDisclosure({ disclosure, confidence }: AiFinding): AiDisclosure | undefined {
  return disclosure === null && confidence === 'low' ? undefined : disclosure;
}

function toVerdict(store: ManifestStore): JsonObject {
  const { state, codes } = toValidation(store);
  const errors = codes.filter(({ kind }) => kind === 'failure').map(({ code }) => code);
  const isValid = state !== 'invalid';
  return { validSignature: isValid, validationStatus: { isValid, errors: [...new Set(errors)] } };
}

function toSignature({ signature }: StoredManifest): JsonObject | undefined {
  if (signature?.algorithm === undefined) return undefined;
  const { algorithm, issuer, time: timestamp } = signature;
  return { algorithm, ...present({ issuer, timestamp }) };
}

function toIngredient({ title, format, documentId, instanceId, relationship }: StoredIngredient): JsonObject {
  return {
    title: title ?? '',
    ...present({ format, documentId, instanceId, relationship }),
    isParent: relationship === 'parentOf',
  };
}
