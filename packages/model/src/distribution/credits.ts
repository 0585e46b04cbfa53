import { CONTRIB_EXTENSION, contribExtensionSchema } from '../extensions/contrib.js';
import { DistributionError } from './distribution-error.js';
import { addTo, canonicalNames, type LineageBundle, type Step } from './lineage.js';
import type { Rational } from './rational.js';
import { requireWeight } from './recipients.js';

export interface Credit {
  entityId: string;
  role: string;
  weight?: Rational | undefined;
  attribution: Attribution;
}

type Attribution = LineageBundle['attributions'][number];

const MAX_CREDITS = 100_000;

const POINTS_OF_PERCENT = 100n;

/**
 * An attribution credits a content that it names, or the outputs of an action if it names only the action. The credits
 * of a marked copy are in the list of its original (`work` of `withWorks`); attributions of the action that made the
 * copy count only with a weight.
 *
 * @throws DistributionError `TooLarge` for more than 100,000 credits, `InvalidWeight` for a malformed weight
 */
export function creditsOf(
  bundle: LineageBundle,
  steps: readonly Step[],
  cids: ReadonlySet<string>,
): Map<string, Credit[]> {
  const canonical = canonicalNames(bundle);
  const outputs = outputsOf(steps, cids);
  const marking = steps.filter(({ work }) => work !== undefined);
  const markIds = new Set(marking.map(({ id }) => id));
  const works = new Map(marking.flatMap(({ outputs, work }) => outputs.map((copy) => [copy, work] as const)));
  const credits = new Map<string, Credit[]>();
  let count = 0;
  for (const attribution of eachOnce(bundle.attributions)) {
    const { resourceCid, actionId = '', entityId, role } = attribution;
    if (markIds.has(actionId) && !hasWeight(attribution)) continue;
    const named = resourceCid === undefined ? (outputs.get(actionId) ?? []) : [canonical(resourceCid)];
    const targets = [...named].filter((cid) => cids.has(cid));
    if (targets.length === 0) continue;
    count += targets.length;
    if (count > MAX_CREDITS)
      throw new DistributionError('TooLarge', `The bundle has more than ${MAX_CREDITS} credits.`);
    const credit = { entityId, role, weight: weightOf(attribution), attribution };
    for (const cid of targets) addTo(credits, works.get(cid) ?? cid, credit);
  }
  return credits;
}

function eachOnce(attributions: readonly Attribution[]): Attribution[] {
  const seen = new Set<string>();
  return attributions.filter(({ id }) => {
    if (id === undefined) return true;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}

/** Maps the id of an action to its outputs. Leaves out outputs that are not in `cids`. */
function outputsOf(steps: readonly Step[], cids: ReadonlySet<string>): Map<string, Set<string>> {
  const outputs = new Map<string, Set<string>>();
  for (const step of steps) {
    const made = outputs.get(step.id) ?? new Set();
    for (const cid of step.outputs) if (cids.has(cid)) made.add(cid);
    outputs.set(step.id, made);
  }
  return outputs;
}

export function hasWeight({ weight, extensions = {} }: Pick<Attribution, 'weight' | 'extensions'>): boolean {
  return weight !== undefined || Object.hasOwn(extensions, CONTRIB_EXTENSION);
}

/** Falls back to the contribution extension. 1 % is 100 basis points. */
function weightOf({ weight, entityId, extensions = {} }: Attribution): Rational | undefined {
  if (weight !== undefined) return requireWeight(weight, entityId);
  if (!hasWeight({ extensions })) return undefined;
  const { data } = contribExtensionSchema.safeParse(extensions[CONTRIB_EXTENSION]);
  if (data === undefined)
    throw new DistributionError('InvalidWeight', `${CONTRIB_EXTENSION} of ${entityId} is malformed.`);
  const { numerator, denominator } = requireWeight(data.weight, entityId);
  return { numerator: data.basis === 'percentage' ? numerator * POINTS_OF_PERCENT : numerator, denominator };
}
