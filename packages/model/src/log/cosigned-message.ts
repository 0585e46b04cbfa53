import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { toUint64 } from '../uint64.js';
import { parseCheckpointText } from './checkpoint.js';

/** The algorithm of a witness's signatures: Ed25519 (RFC 8032) or ML-DSA-44 (FIPS 204). */
export type CosignatureAlgorithm = 'ed25519' | 'ml-dsa-44';

/** No other signed message begins with these bytes (C2SP tlog-cosignature). */
const SUBTREE_LABEL = 'subtree/v1\n\0';
/**
 * Maximum size of the name of a witness and of the origin of a log, in bytes. The message states each size in one byte.
 */
export const MAX_COSIGNED_NAME_BYTES = 255;
/** Lengths of a public key and a signature with ML-DSA-44 (FIPS 204, Table 2). */
export const ML_DSA_44 = { keyBytes: 1_312, signatureBytes: 2_420 } as const;

/**
 * The message that a witness signs (C2SP tlog-cosignature). For ML-DSA-44, undefined for a text that is not a
 * checkpoint, and for an origin or name of more than 255 bytes.
 */
export function toCosignedMessage(
  text: string,
  { name, algorithm }: { name: string; algorithm: CosignatureAlgorithm },
  timeSeconds: number,
): Uint8Array | undefined {
  if (algorithm === 'ed25519') return utf8ToBytes(`cosignature/v1\ntime ${timeSeconds}\n${text}`);
  const checkpoint = parseCheckpointText(text);
  const witness = toOpaque(name);
  const log = checkpoint && toOpaque(checkpoint.origin);
  if (checkpoint === undefined || log === undefined || witness === undefined) return undefined;
  const { size, root } = checkpoint;
  // The format is for any subtree; this message is about the whole tree. It omits the extension lines of the
  // checkpoint.
  const range = [toUint64(0), toUint64(size)];
  return concatBytes(utf8ToBytes(SUBTREE_LABEL), witness, toUint64(timeSeconds), log, ...range, root);
}

/** `opaque<1..2^8-1>` (RFC 8446 §3.4): the length in one byte, and the bytes. */
function toOpaque(text: string): Uint8Array | undefined {
  const bytes = utf8ToBytes(text);
  return bytes.length > MAX_COSIGNED_NAME_BYTES ? undefined : concatBytes(Uint8Array.of(bytes.length), bytes);
}
