import {
  type Bundle,
  type Distribution,
  type DistributionErrorCode,
  type DistributionTerms,
  distributeBundle,
  distributeByWeight,
  type Recipient,
  type Shares,
  toGraph,
  toProvJson,
  toRoCrate,
} from '@colophon/model';
import { describePublished, type PublishedView } from './describe-history.js';

const CONVERSIONS = {
  graph: toGraph,
  'prov-json': toProvJson,
  'ro-crate': toRoCrate,
  cids: ({ resources }: Bundle) => resources.map(({ cid }) => cid),
};

export type DistributionForm = 'whole' | 'shares';

export type Conversion =
  | keyof typeof CONVERSIONS
  | { shares: DistributionTerms; form: DistributionForm }
  | { sharesByWeight: { total: number | undefined } }
  | { published: PublishedView };

/** `text`: the JSON of a history, or of recipients for `sharesByWeight`, as UTF-8 in pieces. */
export interface ConversionTask {
  to: Conversion;
  text: readonly Uint8Array[];
}

/** JSON in UTF-8, or the reason why no shares can be computed. */
export type Converted = Uint8Array | { code: DistributionErrorCode; message: string };

/** Returns JSON. Throws a `DistributionError` when no shares can be computed. */
export function convert(to: Conversion, input: unknown): string {
  if (typeof to === 'object' && 'sharesByWeight' in to)
    return JSON.stringify(distributeByWeight(input as Recipient[], to.sharesByWeight));
  const bundle = input as Bundle;
  if (typeof to === 'string') return JSON.stringify(CONVERSIONS[to](bundle));
  if ('published' in to) return JSON.stringify(describePublished(bundle, to.published));
  const distribution = distributeBundle(bundle, to.shares);
  return JSON.stringify(to.form === 'whole' ? distribution : withoutContents(distribution));
}

function withoutContents({ total, allocated, defaultUsed, shares, withoutWallet }: Distribution): Shares {
  const short = shares.map(({ earned, ...share }) => share);
  return { total, allocated, defaultUsed, shares: short, withoutWallet };
}
