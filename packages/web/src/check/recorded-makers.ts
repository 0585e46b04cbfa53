import {
  type Bundle,
  describeBundle,
  isMarkerUnknown,
  type PublishedFacts,
  workMakersOf,
} from '@colophon/model';
import { makersOf } from '../shell/correction.js';
import { startSentence } from '../shell/name-action.js';
import { joinNames, nameMakers } from '../strings/describe-facts.js';
import { factTexts } from '../strings/facts.js';
import { history } from '../strings/history.js';

/**
 * Returns, for example, `Ann and Bo`. The result is empty without a maker. Imports and corrected entries do not count.
 */
export function nameMakersOf(bundle: Bundle): string {
  const entities = new Map(bundle.entities.map((entity) => [entity.id, entity]));
  return joinNames(makersOf(bundle, bundle.cid).map((id) => entities.get(id)?.name ?? id));
}

/** Returns undefined for a file with a single maker, unless it is a marked copy of a file whose maker is recorded. */
export function sayMakersOf(bundle: Bundle): string | undefined {
  const facts = factsOfBundle(bundle);
  const { act = 'made', sourceMakers } = facts;
  if (act === 'marked' && sourceMakers !== undefined) {
    const marker = isMarkerUnknown(facts) ? '' : nameMakers(facts);
    return startSentence(history.markedCopyOf(history.thisFile, nameMakers(workMakersOf(facts)), marker));
  }
  if (makersOf(bundle, bundle.cid).length < 2) return undefined;
  return `${factTexts.acts[act]} ${factTexts.by(nameMakersOf(bundle))}`;
}

/** The reader may see the whole history. */
export function factsOfBundle(bundle: Bundle): PublishedFacts {
  return describeBundle(bundle, { withhold: [], isHidden: () => false, toRef: (id) => id }).facts;
}
