import { type Bundle, describeBundle, type PublishedFacts } from '@colophon/model';
import { makersOf } from '../shell/correction.js';
import { joinNames } from '../strings/describe-facts.js';
import { factTexts } from '../strings/facts.js';

/** Names the makers of a recorded file, such as `Ann and Bo`. Empty if no entry that counts made the file. */
export function nameMakersOf(bundle: Bundle): string {
  const entities = new Map(bundle.entities.map((entity) => [entity.id, entity]));
  return joinNames(makersOf(bundle, bundle.cid).map((id) => entities.get(id)?.name ?? id));
}

/** Says who made a recorded file. Undefined if it has fewer than two makers. */
export function sayMakersOf(bundle: Bundle): string | undefined {
  if (makersOf(bundle, bundle.cid).length < 2) return undefined;
  const { act = 'made' } = factsOfBundle(bundle);
  return `${factTexts.acts[act]} ${factTexts.by(nameMakersOf(bundle))}`;
}

/** Returns the facts of a recorded history, for a reader who may see all of it. */
export function factsOfBundle(bundle: Bundle): PublishedFacts {
  return describeBundle(bundle, { withhold: [], isHidden: () => false, toRef: (id) => id }).facts;
}
