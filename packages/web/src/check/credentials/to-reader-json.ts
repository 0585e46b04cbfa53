import type { StatusCode } from '@colophon/model';
import { CBORBox, JSONBox } from '@trustnxt/c2pa-ts/jumbf';
import {
  type Assertion,
  IngredientAssertion,
  type Manifest,
  type ManifestStore,
} from '@trustnxt/c2pa-ts/manifest';

/** Converts a valid store to the JSON that `parseManifestStore` reads. */
export function toReaderJson(store: ManifestStore, codes: readonly StatusCode[]): unknown {
  const active = store.getActiveManifest();
  return {
    active_manifest: active?.label,
    manifests: Object.fromEntries(
      store.manifests.map((manifest) => [manifest.label ?? '', manifestOf(manifest)]),
    ),
    validation_state: 'Valid',
    validation_results: {
      activeManifest: {
        success: codes.filter(({ kind }) => kind === 'success'),
        failure: codes.filter(({ kind }) => kind === 'failure'),
      },
    },
  };
}

function manifestOf({ claim, assertions, signature }: Manifest) {
  const all = assertions?.assertions ?? [];
  const { certificate, timestamp } = signature?.signatureData ?? {};
  return {
    title: claim?.title,
    format: claim?.format,
    instance_id: claim?.instanceID,
    claim_generator: claim?.claimGeneratorInfo ?? claim?.claimGeneratorName,
    claim_generator_info: [{ name: claim?.claimGeneratorName, version: claim?.claimGeneratorVersion }],
    signature_info: {
      issuer: certificate?.subjectName.getField('O')[0],
      common_name: certificate?.subjectName.getField('CN')[0],
      time: timestamp?.toISOString(),
    },
    ingredients: all.filter((one) => one instanceof IngredientAssertion).map(ingredientOf),
    assertions: all.map((one) => ({ label: one.fullLabel, data: contentOf(one) })),
  };
}

function ingredientOf(ingredient: IngredientAssertion) {
  const { title, format, documentID, instanceID, relationship, validationResults, validationStatus } =
    ingredient;
  const manifest = (ingredient.activeManifest ?? ingredient.c2pa_manifest)?.uri;
  return {
    label: ingredient.fullLabel,
    title,
    format,
    document_id: documentID,
    instance_id: instanceID,
    relationship,
    active_manifest: manifest?.slice(manifest.lastIndexOf('/') + 1),
    validation_results: validationResults,
    validation_status: validationStatus,
  };
}

/** Dates become text, as in the JSON of the media engine. */
function contentOf({ sourceBox }: Assertion): unknown {
  const [box] = sourceBox?.contentBoxes ?? [];
  const content = box instanceof CBORBox || box instanceof JSONBox ? box.content : undefined;
  return content === undefined ? undefined : JSON.parse(JSON.stringify(content));
}
