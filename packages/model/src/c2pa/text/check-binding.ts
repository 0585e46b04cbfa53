import type { ByteRange, TextCarrier } from './text-carrier.js';

/** The members of `c2pa.hash.data` (C2PA 2.4 §18.5) that bind a text to its manifest. */
export interface TextBinding {
  /** The name of the hash algorithm, such as `sha256`. */
  alg: string;
  hash: Uint8Array;
  exclusions: readonly ByteRange[];
}

/** Hashes bytes; undefined for an unknown algorithm. */
export type HashBytes = (alg: string, bytes: Uint8Array) => Uint8Array | undefined;

export type BindingCode =
  | 'assertion.dataHash.match'
  | 'assertion.dataHash.mismatch'
  | 'assertion.dataHash.malformed'
  | 'algorithm.unsupported';

/**
 * Verifies the hard binding of a text (C2PA 2.4 §15.12.1). The hash must exclude exactly one range, the carrier, so
 * that it covers all other text; otherwise the code is `assertion.dataHash.malformed`. Unstructured text is hashed in
 * normalization form C, so text in another form has the same hash. The offset of the exclusion may refer to the text
 * before or after normalization, because §15.12.1.3 and §A.8.7 differ. Structured text and HTML are hashed without
 * normalization.
 */
export function checkTextBinding(
  { text, carrier, binding }: { text: Uint8Array; carrier: TextCarrier; binding: TextBinding },
  hash: HashBytes,
): BindingCode {
  const [exclusion, ...others] = binding.exclusions;
  const range = exclusion && others.length === 0 ? findExcluded(text, carrier, exclusion) : undefined;
  if (range === undefined) return 'assertion.dataHash.malformed';
  const rest = without(text, range);
  const covered = carrier.method === 'unstructured' ? normalize(rest) : rest;
  if (covered === undefined) return 'assertion.dataHash.mismatch';
  const digest = hash(binding.alg, covered);
  if (digest === undefined) return 'algorithm.unsupported';
  const isSame =
    digest.length === binding.hash.length && digest.every((byte, at) => byte === binding.hash[at]);
  return isSame ? 'assertion.dataHash.match' : 'assertion.dataHash.mismatch';
}

/** Returns undefined when the exclusion is not the carrier. */
function findExcluded(
  text: Uint8Array,
  { method, inner, outer }: TextCarrier,
  { start, length }: ByteRange,
): ByteRange | undefined {
  const end = start + length;
  const isCarrier =
    start >= outer.start &&
    start <= inner.start &&
    end >= inner.start + inner.length &&
    end <= outer.start + outer.length;
  if (isCarrier) return { start, length };
  if (method !== 'unstructured' || length !== inner.length) return undefined;
  return normalize(text.subarray(0, inner.start))?.length === start ? inner : undefined;
}

export function without(text: Uint8Array, { start, length }: ByteRange): Uint8Array {
  const rest = new Uint8Array(text.length - length);
  rest.set(text.subarray(0, start));
  rest.set(text.subarray(start + length), start);
  return rest;
}

/** Returns undefined for bytes that are not UTF-8. */
export function normalize(text: Uint8Array): Uint8Array | undefined {
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text);
    return new TextEncoder().encode(decoded.normalize('NFC'));
  } catch {
    return undefined; // the decoder throws for one reason only: the bytes are not UTF-8
  }
}
