import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJsonBytes, type JsonValue } from '../canonical-json.js';
import { contentIdOfSha256 } from '../content-id.js';

/**
 * The origin of a record: file, manifest label and place in the manifest. A label or an instance id alone is not
 * enough: anybody can write any label, and an edited file often has the instance id of the original.
 */
export type Origin = readonly [fileCid: string, label: string, ...place: (string | number)[]];

/** A UUID of version 8 (RFC 9562 §5.8). */
export function derivedUuid(kind: string, origin: Origin): string {
  const digest = digestOf(kind, origin).slice(0, 16);
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  return bytesToHex(digest).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** `c2pa:<kind>:<32 hex digits>`. */
export function derivedEntityId(kind: string, origin: Origin): string {
  return `c2pa:${kind}:${bytesToHex(digestOf(kind, origin).slice(0, 16))}`;
}

/** Returns an identifier for content whose bytes are unknown. */
export function derivedContentId(kind: string, origin: Origin): string {
  return contentIdOfSha256(digestOf(kind, origin));
}

function digestOf(kind: string, origin: Origin): Uint8Array {
  return sha256(canonicalJsonBytes(['colophon-c2pa-v1', kind, ...origin] as JsonValue));
}
