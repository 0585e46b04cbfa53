import {
  type Bundle,
  type DistributionErrorCode,
  type DistributionTerms,
  distributeBundle,
  toGraph,
  toProvJson,
  toRoCrate,
} from '@colophon/model';
import { describePublished, type PublishedView } from '../publishing/describe-history.js';

const CONVERSIONS = { graph: toGraph, 'prov-json': toProvJson, 'ro-crate': toRoCrate };

/** What the text of a history is converted to. */
export type Conversion =
  | keyof typeof CONVERSIONS
  | { shares: DistributionTerms }
  | { published: PublishedView };

/** A history that is to be converted; `text` is its JSON in UTF-8, in pieces. */
export interface ConversionTask {
  to: Conversion;
  text: readonly Uint8Array[];
}

/** JSON in UTF-8, or why the history cannot be shared out. */
export type Converted = Uint8Array | { code: DistributionErrorCode; message: string };

/** The JSON text of a history as another JSON text. Throws a `DistributionError` when it cannot be shared out. */
export function convert(to: Conversion, text: string): string {
  const bundle = JSON.parse(text) as Bundle;
  if (typeof to === 'string') return JSON.stringify(CONVERSIONS[to](bundle));
  return JSON.stringify(
    'shares' in to ? distributeBundle(bundle, to.shares) : describePublished(bundle, to.published),
  );
}
