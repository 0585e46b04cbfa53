import { sumOf, toClaims, toEarnings } from './claims.js';
import { creditsOf } from './credits.js';
import type { Distribution, Policy } from './distribution.js';
import { DistributionError } from './distribution-error.js';
import { largestRemainder } from './largest-remainder.js';
import { canonicalNames, type LineageBundle, stepsOf, walkLineage, withoutCorrected } from './lineage.js';
import { withWorks } from './marked-copies.js';
import { type Exact, greatestCommonDivisor, parseRational, type Rational } from './rational.js';
import { walletsOf } from './recipients.js';
import { DEFAULT_TOTAL, requireTotal, toShares } from './shares.js';

/** Options of `distributeBundle`. */
export interface DistributionTerms {
  policy?: Policy | undefined;
  /** Number of units to distribute, an integer from 1 to 2^53 - 1. */
  total?: number | undefined;
  /** Factor of the weight of a content for each action between it and the requested content. Above 0, at most 1. */
  decay?: Exact | undefined;
  /**
   * The maximum number of actions between a content and the requested content, for `all-ancestors`; unlimited by
   * default.
   */
  depth?: number | undefined;
}

interface Terms {
  policy: Policy;
  units: bigint;
  decay: Rational;
  /** Infinity means no limit. */
  depth: number;
}

const HALF: Rational = { numerator: 1n, denominator: 2n };

/**
 * Distributes a total over the history of a content. The shares are exact integers and sum to exactly the total.
 *
 * The policy selects the contents that count. `direct` (the default) selects only the requested content. `parents` adds
 * the contents that it was made from. `all-ancestors` selects all contents in its history, or only those at most
 * `depth` actions back. Each content counts once, with the weight `decay^d`. `d` is its smallest distance, and `decay`
 * is 1/2 by default. The credited entities divide the weight of a content in proportion to the weights of their
 * attributions. If no attribution has a weight, the creators get equal parts. The parts of each entity are added up
 * over all contents. Then the total is distributed by largest remainder, as in `distributeByWeight`. `earned` divides
 * each share among the contents that it comes from, by the same method. `lineagePath` returns the path to one of these
 * contents. A content has no part (`basis: 'nobody'`) if its weights are all 0, or if it has neither weights nor
 * creators. If no content has a part, `allocated` is 0. `complete` is false when the bundle may lack actions within the
 * range of the policy. Actions that later actions correct (`correctedActions`) do not count, and neither do their
 * attributions.
 *
 * A marked copy is the same work as its original (`markedInput`), the content that was copied and marked, under two
 * conditions: no other action made the copy, and the bundle has a record of the original. Both contents then have the
 * same distance, and `contents` has both. The entities that either content credits divide the weight of the original,
 * so the copy has `basis: 'nobody'`. Attributions of the action that made the copy count only if they have a weight.
 *
 * Accepts a bundle from `GET /v1/bundle/:cid`, a bundle that `toBundle` made from a manifest, or any object with the
 * members of `LineageBundle`. The cost is proportional to the size of the bundle. Throws `DistributionError`:
 * `CyclicBundle`, `InvalidWeight`, `InvalidTotal`, `InvalidDecay`, `InvalidDepth`, `ConflictingWallets`, `TooLarge`,
 * `TooPrecise`.
 *
 * @example
 * const by = (entityId, resourceCid) => ({ entityId, resourceCid, role: 'creator' });
 * const actions = [{ id: 'crop', inputCids: ['photo'], outputCids: ['crop'] }];
 * const attributions = [by('ann', 'photo'), by('bo', 'crop')];
 * const bundle = { cid: 'crop', actions, attributions, entities: [], complete: true };
 * const { shares } = distributeBundle(bundle, { policy: 'parents', total: 100 });
 * shares.map(({ entityId, share }) => `${entityId} ${share}`); // => ['bo 67', 'ann 33']
 */
export function distributeBundle(given: LineageBundle, asked: DistributionTerms = {}): Distribution {
  const terms = requireTerms(asked);
  const { policy, units, decay, depth } = terms;
  const bundle = withoutCorrected(given);
  const root = canonicalNames(bundle)(bundle.cid);
  const steps = withWorks(bundle, stepsOf(bundle));
  const { ancestors, reachesBeyond } = walkLineage(root, steps, depth);
  const credits = creditsOf(bundle, steps, new Set(ancestors.map(({ cid }) => cid)));
  const claims = toClaims(ancestors, credits);
  const earnings = toEarnings(claims, decay);
  const weights = new Map(
    [...earnings].map(([entityId, byContent]) => [entityId, sumOf(byContent.values())]),
  );
  const wallets = walletsOf(bundle.entities.map(({ id, wallet }) => ({ entityId: id, wallet })));
  const { shares, ...shared } = toShares(units, weights, wallets);
  return {
    cid: root,
    policy,
    ...(policy === 'direct' ? {} : { decay: toText(decay) }),
    ...(policy === 'all-ancestors' && Number.isFinite(depth) ? { depth } : {}),
    ...shared,
    defaultUsed: claims.some(({ basis }) => basis === 'default'),
    shares: shares.map((one) => ({ ...one, earned: traceUnits(one.share, earnings.get(one.entityId)) })),
    contents: claims.map(({ cid, distance, basis, from }) => ({
      ...{ cid, distance, basis },
      ...(from === undefined ? {} : { from }),
    })),
    complete: bundle.complete || reachesBeyond,
  };
}

function requireTerms({ policy = 'direct', total = DEFAULT_TOTAL, decay, depth }: DistributionTerms): Terms {
  if (policy === 'direct' && decay !== undefined)
    throw new DistributionError(
      'InvalidDecay',
      'The policy direct takes no decay. Leave decay out, or use parents or all-ancestors.',
    );
  if (policy !== 'all-ancestors' && depth !== undefined)
    throw new DistributionError(
      'InvalidDepth',
      `The policy ${policy} takes no depth. Leave depth out, or use all-ancestors.`,
    );
  if (depth !== undefined && !(Number.isSafeInteger(depth) && depth >= 1))
    throw new DistributionError('InvalidDepth', `The depth ${depth} is not a whole number of at least 1.`);
  const depths = { direct: 0, parents: 1, 'all-ancestors': depth ?? Number.POSITIVE_INFINITY };
  const units = requireTotal(total);
  return { policy, units, decay: decay === undefined ? HALF : requireDecay(decay), depth: depths[policy] };
}

function requireDecay(decay: Exact): Rational {
  const { numerator, denominator } = parseRational(decay) ?? { numerator: 0n, denominator: 1n };
  if (numerator === 0n || numerator > denominator)
    throw new DistributionError(
      'InvalidDecay',
      `The decay ${String(decay).slice(0, 100)} is not a number above 0 and up to 1.`,
    );
  const divisor = greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

function toText({ numerator, denominator }: Rational): string {
  return denominator === 1n ? String(numerator) : `${numerator}/${denominator}`;
}

/** Nearest content first. */
function traceUnits(share: number, byContent: ReadonlyMap<string, bigint> = new Map()) {
  if (share === 0) return [];
  const weighted = [...byContent].map(([key, weight]) => ({ key, weight }));
  const units = largestRemainder(BigInt(share), weighted);
  return weighted
    .map(({ key: cid }, index) => ({ cid, units: Number(units[index] ?? 0n) }))
    .filter(({ units }) => units > 0);
}
