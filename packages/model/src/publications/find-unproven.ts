import { canonicalJson, type JsonValue } from '../canonical-json.js';
import type { Bundle } from '../records/bundle.js';
import { type DescribedBundle, describeBundle } from './describe-bundle.js';
import type { PublishedHistory } from './published-history.js';

/**
 * Returns the name of the first part of a published history that differs from the bundle: `cid`, `people`, `steps`,
 * `credits` or `facts`. Returns undefined when these parts match. Does not compare `contents`, because the log does not
 * cover them. First verify the bundle with `verifyBundle`. `findUnproven` then detects a service that proves one
 * history and publishes another one.
 *
 * The published history may state a higher level of AI than the bundle, because the history also uses Content
 * Credentials, which no log contains. The history must not state a lower level.
 *
 * @example
 * const shown = { withheld: [], people: [], steps: [], contents: [], credits: [], cid: 'b' };
 * const bundle = { cid: 'c', entities: [], actions: [], attributions: [], resources: [], complete: true };
 * findUnproven(shown, bundle); // => 'cid'
 */
export function findUnproven(
  history: PublishedHistory,
  bundle: Bundle,
): 'cid' | 'people' | 'steps' | 'credits' | 'facts' | undefined {
  if (history.cid !== bundle.cid) return 'cid';
  const proven = describeBundle(bundle, {
    withhold: history.withheld,
    license: history.license,
    isHidden: () => false,
    toRef: (entityId) => entityId,
  });
  const [shown, held] = [placeRefs(history), placeRefs(proven)];
  for (const part of ['people', 'steps', 'credits'] as const) {
    if (canonicalJson(shown[part] as JsonValue) !== canonicalJson(held[part] as JsonValue)) return part;
  }
  return areShown(history.facts, proven.facts) ? undefined : 'facts';
}

const AI_ORDER = ['unstated', 'human', 'withheld', 'sources', 'involved', 'assisted', 'generated'];

function areShown(shown: PublishedHistory['facts'], proven: PublishedHistory['facts']): boolean {
  const { ai: shownAi, aiCorrected: isShownCorrected, ...shownRest } = shown;
  const { ai: provenAi, aiCorrected: isProvenCorrected, ...provenRest } = proven;
  // The bundle has `aiCorrected` if only a corrected step states the level of AI. If Content Credentials state this
  // level too, the history has no `aiCorrected`.
  if (isShownCorrected && !isProvenCorrected) return false;
  // The history may state `human` only if the bundle also states it.
  const isEnough =
    AI_ORDER.indexOf(shownAi) >= AI_ORDER.indexOf(provenAi) && (shownAi !== 'human' || provenAi === 'human');
  return isEnough && canonicalJson(shownRest as JsonValue) === canonicalJson(provenRest as JsonValue);
}

function placeRefs({ people, steps, credits }: Pick<DescribedBundle, 'people' | 'steps' | 'credits'>) {
  const places = new Map(people.map(({ ref }, place) => [ref, place]));
  const placeOf = (ref: string) => places.get(ref) ?? -1;
  return {
    people: people.map(({ ref: _, ...person }) => person),
    steps: steps.map(({ by, ...step }) => ({ ...step, by: placeOf(by) })),
    credits: credits.map(({ by, ...credit }) => ({ ...credit, by: placeOf(by) })),
  };
}
