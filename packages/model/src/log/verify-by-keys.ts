import type { LogKey } from './verify-key-history.js';
import type { TrustedLog } from './verify-signer.js';

/** The codes of a document that only a retired key signed, with their meanings. */
export const KEY_FAULTS = {
  retiredKey:
    'A retired key signed a tree that contains the hand-over to its next key. Request the document again.',
} as const;

/** `size`: number of leaves of the tree in the checkpoint. */
interface SignedReport {
  verified: boolean;
  code?: string;
  size?: number;
}

/** A report, and the index of the key that it belongs to. */
export interface KeyedReport<Report> {
  report: Report | { verified: false; code: keyof typeof KEY_FAULTS };
  key: number;
}

/** With another key, the same document can verify. */
const OF_KEY = ['untrustedKey', 'otherOrigin', 'notSigned', 'retiredKey'];

/**
 * Verifies a document with several keys, such as the keys from `verifyKeyHistory`. Returns the report of the first key
 * with which the document verifies. If no key verifies the document, returns the first of these reports that exists: a
 * report whose fault does not depend on the key, a report with the code `retiredKey`, the report of the first key. A
 * retired key may only sign trees of at most `maxSize` leaves. Throws RangeError without a key.
 *
 * @example
 * const keys = [{ publicKey: new Uint8Array(32) }, { publicKey: new Uint8Array(32), maxSize: 4 }];
 * verifyByKeys(keys, ({ maxSize }) => ({ verified: maxSize !== undefined, size: 4 })); // => { report: { verified: true, size: 4 }, key: 1 }
 */
export function verifyByKeys<Report extends SignedReport>(
  keys: readonly LogKey[],
  verifyWith: (trusted: TrustedLog) => Report,
): KeyedReport<Report> {
  const tried: KeyedReport<Report>[] = [];
  for (const [key, trusted] of keys.entries()) {
    const report = verifyWith(trusted);
    const isRetired = report.verified && (report.size ?? 0) > (trusted.maxSize ?? Number.POSITIVE_INFINITY);
    if (report.verified && !isRetired) return { report, key };
    tried.push({ report: isRetired ? { verified: false, code: 'retiredKey' } : report, key });
  }
  const best =
    tried.find(({ report }) => 'code' in report && !OF_KEY.includes(report.code ?? '')) ??
    tried.find(({ report }) => 'code' in report && report.code === 'retiredKey') ??
    tried[0];
  if (best === undefined) throw new RangeError('Expected at least one key');
  return best;
}
