import { listEarning } from './claims.js';
import { creditsOf } from './credits.js';
import type { Distribution } from './distribution.js';
import { addTo, canonicalNames, type LineageBundle, stepsOf, withoutCorrected } from './lineage.js';
import { withWorks } from './marked-copies.js';

/** The records behind the shares of one content. Both lists have the order of the bundle. */
export interface ShareRecords {
  /** The attributions whose entities get a part of the content's weight. */
  attributions: LineageBundle['attributions'][number][];
  /** The ids of the actions that made the content. */
  actionIds: string[];
}

/**
 * Returns the records behind the shares of each content of a distribution, by the canonical CID of the content. The
 * rules are those of `distributeBundle`. The lists omit corrected actions and their attributions. The attributions of a
 * marked copy are in the list of its original. No list has the action that made the copy. Throws `DistributionError`
 * with the codes `InvalidWeight` and `TooLarge`, in the same cases as `distributeBundle`.
 *
 * @example
 * const actions = [{ id: 'shoot', inputCids: [], outputCids: ['photo'] }];
 * const attributions = [{ entityId: 'ann', resourceCid: 'photo', role: 'creator' }];
 * const bundle = { cid: 'photo', actions, attributions, entities: [], complete: true };
 * listShareRecords(bundle, distributeBundle(bundle)).get('photo')?.actionIds; // => ['shoot']
 */
export function listShareRecords(
  given: LineageBundle,
  { contents }: Pick<Distribution, 'contents'>,
): Map<string, ShareRecords> {
  const bundle = withoutCorrected(given);
  const canonical = canonicalNames(bundle);
  const steps = withWorks(bundle, stepsOf(bundle));
  const credits = creditsOf(bundle, steps, new Set(contents.map(({ cid }) => cid)));
  const copying = new Set(steps.flatMap(({ id, work }) => (work === undefined ? [] : [id])));
  const made = new Map<string, string[]>();
  for (const { id, outputCids } of bundle.actions)
    if (!copying.has(id)) for (const cid of new Set(outputCids.map(canonical))) addTo(made, cid, id);
  return new Map(
    contents.map(({ cid }) => {
      const attributions = listEarning(credits.get(cid) ?? []).map(({ attribution }) => attribution);
      return [cid, { attributions, actionIds: made.get(cid) ?? [] }];
    }),
  );
}
