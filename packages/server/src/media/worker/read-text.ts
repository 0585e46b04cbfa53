import { createHash } from 'node:crypto';
import {
  type ByteRange,
  checkTextBinding,
  fromBase64,
  type HashBytes,
  locateTextManifest,
  type TextBinding,
  type TextManifest,
} from '@colophon/model';
import { HTML } from '../formats.js';
import type { ManifestStore, ReadOutcome } from '../media-engine.js';
import { settleBinding } from './settle-binding.js';

/** The media type of a manifest store without a file. */
export const STORE_TYPE = 'application/c2pa';

const ALGORITHMS = ['sha256', 'sha384', 'sha512'];
/** In the engine's JSON, bytes are a text: this prefix, then base64, then `'`. */
const BYTES_PREFIX = "b64'";

const hashBytes: HashBytes = (alg, bytes) =>
  ALGORITHMS.includes(alg) ? createHash(alg).update(bytes).digest() : undefined;

/** C2PA defines manifests for UTF-8 text only, so a manifest in UTF-16 text counts as damaged. */
export function locateManifest(bytes: Uint8Array, mediaType: string): TextManifest {
  const [first, second] = bytes;
  const isBigEndian = first === 0xfe && second === 0xff;
  const isHtml = mediaType === HTML;
  if (!isBigEndian && !(first === 0xff && second === 0xfe)) return locateTextManifest(bytes, { isHtml });
  const text = new TextDecoder(isBigEndian ? 'utf-16be' : 'utf-16le').decode(bytes);
  const located = locateTextManifest(new TextEncoder().encode(text), { isHtml });
  return located.kind === 'store' ? { kind: 'damaged', code: 'manifest.text.corruptedWrapper' } : located;
}

export function toTextOutcome(located: Exclude<TextManifest, { kind: 'store' }>): ReadOutcome {
  if (located.kind !== 'damaged') return located;
  const message = 'The text has more than one manifest, or its manifest is damaged or cut off.';
  return { kind: 'broken', code: located.code, message, holdsManifest: true };
}

/** The part of the engine's detailed JSON (crJSON) that binds a manifest to its file. */
interface DetailedStore {
  manifests: { label: string; assertions?: Record<string, unknown>; 'claim.v2'?: { alg?: string } }[];
}

/** The engine verified everything except the hard binding, because it had no file. */
export function bindToText(
  store: ManifestStore,
  {
    detailed,
    bytes,
    located,
  }: { detailed: string; bytes: Uint8Array; located: TextManifest & { kind: 'store' } },
): ManifestStore {
  const { manifests } = JSON.parse(detailed) as DetailedStore;
  const active = manifests.find(({ label }) => label === store.active_manifest);
  const binding = toBinding(active?.assertions?.['c2pa.hash.data'], active?.['claim.v2']?.alg);
  const code =
    binding === undefined
      ? 'assertion.dataHash.malformed'
      : checkTextBinding({ text: bytes, carrier: located.carrier, binding }, hashBytes);
  return settleBinding(store, code);
}

/** Returns undefined when the assertion is not a valid data hash. */
function toBinding(assertion: unknown, defaultAlg = 'sha256'): TextBinding | undefined {
  const { alg = defaultAlg, hash, exclusions = [] } = (assertion ?? {}) as Record<string, unknown>;
  if (typeof alg !== 'string' || typeof hash !== 'string' || !Array.isArray(exclusions)) return undefined;
  const bytes = hash.startsWith(BYTES_PREFIX)
    ? fromBase64(hash.slice(BYTES_PREFIX.length).replace(/'$/, ''))
    : undefined;
  return bytes && exclusions.every(isRange) ? { alg, hash: bytes, exclusions } : undefined;
}

function isRange(value: unknown): value is ByteRange {
  const { start, length } = (value ?? {}) as Partial<ByteRange>;
  return (
    Number.isSafeInteger(start) && Number.isSafeInteger(length) && Number(start) >= 0 && Number(length) > 0
  );
}
