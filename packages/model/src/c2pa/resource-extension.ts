import type { JsonObject } from '../canonical-json.js';
import type { AiFinding } from './ai-detection.js';
import type { BundleContext } from './bundle-context.js';
import { derivedContentId } from './derived-id.js';
import { present } from './present.js';
import type { AiDisclosure } from './provenance-assertion.js';
import { signerName } from './signer-name.js';
import type { StoredIngredient, StoredManifest } from './stored-manifest.js';
import { toolText } from './tool.js';
import { toValidation } from './validation.js';

const MAX_INGREDIENTS = 100;

/**
 * Returns the extension `ext:c2pa@1.0.0` for the content of a manifest. It has all members of the service's
 * specification, and further members with the names of the ProvenanceKit extension set. `ingredients` has the first 100
 * ingredients. `validSignature` is present only for the file's own manifest, because no other manifest was checked. It
 * is false if this manifest is invalid, otherwise true.
 */
export function toC2paExtension(context: BundleContext, manifest: StoredManifest): JsonObject {
  const { store, assets, options } = context;
  const isActive = manifest === store.active;
  const manifestCid = isActive ? options.manifestCid : undefined;
  const { generator, signature, ingredients, actions, label } = manifest;
  return {
    manifestCid: manifestCid ?? derivedContentId('manifest', [options.fileCid, label]),
    ...present({ generator: generator && toolText(generator), signedBy: signerName(signature) }),
    ...present({ aiDisclosure: toDisclosure(context.aiOf(manifest)) }),
    actions: actions.map(({ action }) => action),
    ingredientCids: [...new Set(ingredients.map((ingredient) => assets.ofIngredient(ingredient)))],
    ...(isActive ? toVerdict(context) : {}),
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

/** Returns the AI disclosure. Null states that people alone made the content; undefined means no statement. */
function toDisclosure({ disclosure, confidence }: AiFinding): AiDisclosure | undefined {
  return disclosure === null && confidence === 'low' ? undefined : disclosure;
}

function toVerdict({ store }: BundleContext): JsonObject {
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
