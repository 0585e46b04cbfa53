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
 * The records that a file's manifest and those of its ingredients amount to, oldest first, none of them recorded.
 *
 * - Each C2PA action is an action. Its outputs are the content of its manifest, its inputs the ingredients that it
 *   names, or the earlier version (`parentOf`) when it names none; ingredients that no action names are inputs of the
 *   first action that is not `c2pa.created`, else of the first. A manifest that has ingredients and no actions has one of
 *   `c2pa.unknown`.
 * - It was performed by its software agent, else by the manifest's generator, else by the signer, each an entity of
 *   that manifest alone; software is `ai` where its action has an AI source type, else `ext:software`.
 * - The performer of a `create` or `generate` is its `creator`, of anything else a `contributor`; an author named in
 *   `CreativeWork` is a `creator` of the content, and the signer `ext:c2pa:signer`. No weights are made up.
 * - Content is the file, what its ingredients are, and thumbnails that were stored. The file has `ext:c2pa@1.0.0` with
 *   the members of the specification and those of the published ProvenanceKit set beside them.
 *
 * Every id is derived from the file's CID, the manifest's label and the place in it: the same file gives the same
 * ids, two files never share one, whatever they say. CIDs of ingredients: see `knownCids`, and `metadata.inputCid`
 * of our own assertion; any other names no bytes, and its content says `isDerivedCid` in `ext:c2pa:ingredient@1.0.0`.
 *
 * Whether the manifest is to be believed is not looked at: see `toValidation`. Throws a ZodError when `fileCid` is no
 * content id.
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

/** The records of all parts; of those with the same id the first. */
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
