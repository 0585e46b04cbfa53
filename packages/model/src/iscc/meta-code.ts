import { blake3 } from '@noble/hashes/blake3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64pad } from 'multiformats/bases/base64';
import { canonicalJsonBytes, type JsonObject } from '../canonical-json.js';
import { cleanText, joinLines, trimText } from './clean-text.js';
import { codePointWindows } from './code-points.js';
import { dataUrlBytes } from './data-url.js';
import { IsccError, type IsccUnit } from './header.js';
import { simhash } from './simhash.js';
import { collapseText } from './text-code.js';

const MAX_NAME_BYTES = 128;
const MAX_DESCRIPTION_BYTES = 4096;
const MAX_META_BYTES = 128_000;
const TEXT_WINDOW = 3;
const BYTES_WINDOW = 4;
const WORD_BYTES = 4;
const WORDS = 4;
/** BLAKE3 with 32 bytes. */
const BLAKE3_PREFIX = '1e20';

/** The description of a work. */
export interface IsccMetadata {
  name: string;
  description?: string;
  /** An object, or a data URL (RFC 2397) with metadata of any format. At most 128,000 bytes. */
  meta?: JsonObject | string;
}

/** A Meta-Code with the values that it describes. */
export interface DescribedWork {
  unit: IsccUnit;
  name: string;
  description: string;
  /** The metadata as a data URL. Absent without metadata. */
  meta?: string;
  /** The BLAKE3 multihash of the metadata, or of name and description, in hex. */
  metahash: string;
}

/**
 * Returns the Meta-Code of a work. Throws IsccError for an empty name, and for metadata that is invalid or too large.
 */
export function describeWork(input: IsccMetadata): DescribedWork {
  const name = trimText(joinLines(cleanText(input.name)), MAX_NAME_BYTES);
  if (name === '') throw new IsccError('A Meta-Code needs a name');
  const description = trimText(cleanText(input.description ?? ''), MAX_DESCRIPTION_BYTES);
  const { payload, url } = readMeta(input.meta);
  const digest = metaDigest(name, payload ?? description);
  const hashed = payload ?? utf8ToBytes(`${name} ${description}`.trim());
  return {
    unit: { mainType: 'meta', digest },
    name,
    description,
    ...(url === undefined ? {} : { meta: url }),
    metahash: `${BLAKE3_PREFIX}${bytesToHex(blake3(hashed))}`,
  };
}

function readMeta(meta: IsccMetadata['meta']): { payload?: Uint8Array; url?: string } {
  if (meta === undefined || meta === '' || Object.keys(meta).length === 0) return {};
  const payload = typeof meta === 'string' ? dataUrlBytes(meta) : canonicalJsonBytes(meta);
  if (payload.length > MAX_META_BYTES) {
    throw new IsccError(`The metadata has ${payload.length} bytes. At most ${MAX_META_BYTES} are allowed`);
  }
  if (typeof meta === 'string') return { payload, url: meta };
  const mediaType = '@context' in meta ? 'application/ld+json' : 'application/json';
  return { payload, url: `data:${mediaType};base64,${base64pad.encode(payload).slice(1)}` };
}

/** If `extra` is not empty, words of its hash alternate with words of the hash of `name`. */
function metaDigest(name: string, extra: string | Uint8Array): Uint8Array {
  const nameDigest = hashWindows(codePointWindows(collapseText(name), TEXT_WINDOW));
  if (extra.length === 0) return nameDigest;
  const extraDigest = hashWindows(
    typeof extra === 'string' ? codePointWindows(collapseText(extra), TEXT_WINDOW) : byteWindows(extra),
  );
  const words = Array.from({ length: WORDS }, (_, at) => at * WORD_BYTES).flatMap((start) => [
    ...nameDigest.subarray(start, start + WORD_BYTES),
    ...extraDigest.subarray(start, start + WORD_BYTES),
  ]);
  return Uint8Array.from(words);
}

function hashWindows(windows: Iterable<Uint8Array>): Uint8Array {
  return simhash(Array.from(windows, (part) => blake3(part)));
}

function* byteWindows(bytes: Uint8Array): Generator<Uint8Array> {
  const count = Math.max(bytes.length - BYTES_WINDOW + 1, 1);
  for (let start = 0; start < count; start++) yield bytes.subarray(start, start + BYTES_WINDOW);
}
