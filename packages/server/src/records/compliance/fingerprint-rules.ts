import { KINDS, type Kind, MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import type { FingerprintRule } from './marks.sql.js';

/** `decodable`: the kinds of content that this service can decode. */
export function listFingerprintRules(decodable: ReadonlySet<Kind>): FingerprintRule[] {
  return Object.entries(KINDS).map(([kind, { method, types, minBytes }]) => ({
    method,
    types: types.source.replaceAll('\\/', '/'),
    minBytes,
    maxBytes: MAX_DESCRIBED_BYTES,
    isDecodable: decodable.has(kind as Kind),
  }));
}
