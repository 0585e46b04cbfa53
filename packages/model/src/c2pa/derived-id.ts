import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJsonBytes, type JsonValue } from '../canonical-json.js';
import { contentIdOfSha256 } from '../content-id.js';

/**
 * The origin of a record: the CID of the file, the label of the manifest in it, and values that identify the record in
 * that manifest, such as its position. A label or an instance id alone does not identify a record: anybody can write
 * any label, and an edited file often has the instance id of the original.
 */
export type Origin = readonly [fileCid: string, label: string, ...place: (string | number)[]];

/** Derives a UUID of version 8 (RFC 9562 §5.8) from the origin. */
export function derivedUuid(kind: string, origin: Origin): string {
  const digest = digestOf(kind, origin).slice(0, 16);
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  return bytesToHex(digest).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Derives an entity id `c2pa:<kind>:<32 hex digits>` from the origin. */
export function derivedEntityId(kind: string, origin: Origin): string {
  return `c2pa:${kind}:${bytesToHex(digestOf(kind, origin).slice(0, 16))}`;
}

/** Derives a content id from the origin, for content with unknown bytes. */
export function derivedContentId(kind: string, origin: Origin): string {
  return contentIdOfSha256(digestOf(kind, origin));
}

function digestOf(kind: string, origin: Origin): Uint8Array {
  return sha256(canonicalJsonBytes(['colophon-c2pa-v1', kind, ...origin] as JsonValue));
}
