import { contentIdSchema } from '../content-id-schema.js';
import { findAi } from './ai-detection.js';
import { nameAssets } from './asset-cids.js';
import { readPerformances } from './bundle-actions.js';
import type { BundleContext, ToBundleOptions } from './bundle-context.js';
import type { BundleDraft } from './bundle-draft.js';
import { readPeople } from './bundle-people.js';
import { readResources } from './bundle-resources.js';
import type { ManifestStore } from './manifest-store.js';
import type { StoredManifest } from './stored-manifest.js';

/**
 * Converts the manifests of a file and of its ingredients into records, oldest first. It stores nothing.
 *
 * - Each C2PA action becomes an action. Its output is the content that the manifest describes. Its inputs are the
 *   ingredients that it names, or the earlier version (`parentOf`) when it names none and is not `c2pa.created`.
 *   Ingredients that no action names are inputs of the first action that is not `c2pa.created`, or else of the first
 *   action. If the parser read only a part of the manifest (`isComplete` is false), no action gets these ingredients. A
 *   manifest without actions gets one action `c2pa.unknown` if it has ingredients or is the file's own manifest.
 * - The performer is the action's software agent, or else the manifest's generator, or else the signer, or else an
 *   unnamed tool. Manifests do not share these entities. Software has the role `ai` when its action has an AI source
 *   type, otherwise `ext:software`.
 * - The performer of a `create` or `generate` action gets the role `creator`. The performer of any other action gets
 *   `contributor`. An author in `CreativeWork` gets the role `creator` for the content, and the signer gets
 *   `ext:c2pa:signer`. No attribution gets a weight.
 * - Resources are the file, the content of its ingredients, and stored thumbnails. The file and each ingredient with a
 *   manifest have the extension `ext:c2pa@1.0.0`. It has all members that the service's specification defines, and
 *   further members with names from ProvenanceKit.
 *
 * Every id is derived from the file's CID and the manifest's label. The id of an action also depends on the position of
 * the action in the manifest, and the id of a tool or author on the role and name. So the same file gives the same ids,
 * and two files never share an id, whatever they contain. CIDs of ingredients come from `knownCids` or from
 * `metadata.inputCid` of the assertion `org.colophon.provenance` (unless `ignoresClaimedCids` is true). Any other CID
 * is derived, because the bytes are unknown. The content with such a CID has `isDerivedCid` in
 * `ext:c2pa:ingredient@1.0.0`.
 *
 * This function does not check whether the manifest can be trusted: see `toValidation`. Throws a ZodError when
 * `fileCid` is not a content id.
 *
 * @example
 * const data = { actions: [{ action: 'c2pa.created', softwareAgent: 'Camera/1.0' }] };
 * const manifests = { a: { title: 'Photo', assertions: [{ label: 'c2pa.actions', data }] } };
 * const store = parseManifestStore({ active_manifest: 'a', manifests });
 * const fileCid = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';
 * const { actions, entities } = toBundle(store, { fileCid });
 * actions.map(({ type }) => type); // => ['create']
 * actions[0].outputCids; // => [fileCid]
 * entities.map(({ name }) => name); // => ['Camera/1.0']
 */
export function toBundle(store: ManifestStore, options: ToBundleOptions): BundleDraft {
  const fileCid = contentIdSchema.parse(options.fileCid);
  const { knownCids, ignoresClaimedCids } = options;
  const assets = nameAssets(store, { fileCid, knownCids, ignoresClaimedCids });
  const context = { store, assets, aiOf: findAi(store), options: { ...options, fileCid } };
  const parts = assets.oldestFirst.map((manifest) => readParts(context, manifest));
  return {
    cid: fileCid,
    entities: firstById(parts, 'entities', ({ id }) => id),
    actions: parts.flatMap(({ actions }) => actions),
    attributions: firstById(parts, 'attributions', ({ id }) => id),
    resources: firstById(parts, 'resources', ({ cid }) => cid),
    complete: store.isComplete,
  };
}

type Parts = Pick<BundleDraft, 'entities' | 'actions' | 'attributions' | 'resources'>;

function readParts(context: BundleContext, manifest: StoredManifest): Parts {
  const performances = readPerformances(context, manifest);
  const people = readPeople(context, manifest);
  return {
    entities: [...performances.map(({ entity }) => entity), ...people.entities],
    actions: performances.map(({ action }) => action),
    attributions: [...performances.map(({ attribution }) => attribution), ...people.attributions],
    resources: readResources(context, manifest),
  };
}

/** Of several records with the same id, returns only the first one. */
function firstById<Kind extends keyof Parts>(
  parts: readonly Parts[],
  kind: Kind,
  idOf: (record: Parts[Kind][number]) => string,
): Parts[Kind][number][] {
  const byId = new Map<string, Parts[Kind][number]>();
  for (const record of parts.flatMap((part): Parts[Kind][number][] => part[kind])) {
    if (!byId.has(idOf(record))) byId.set(idOf(record), record);
  }
  return [...byId.values()];
}
