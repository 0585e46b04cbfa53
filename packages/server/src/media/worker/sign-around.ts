import { ServiceError } from '../../errors.js';
import { signDetached } from './sign-manifest.js';
import type { Signing } from './signing.js';

const PAD_BYTES = 32;
const DIGEST_BYTES = 32;
const MAX_PASSES = 6;
/** Length for the first draft. CBOR needs as many bytes for this number as for the real length. */
const LIKELY_BYTES = 12_000;

/** The range that the hash excludes, and the SHA-256 of all other bytes. */
export interface Placement {
  start: number;
  length: number;
  digest: Uint8Array;
}

/** The data hash depends on the size of the manifest. `place` returns the placement for a size. */
export async function signAround(
  signing: Signing,
  place: (manifestBytes: number) => Placement,
): Promise<Uint8Array> {
  let padBytes = PAD_BYTES;
  const likely = { start: signing.bytes.length, length: LIKELY_BYTES, digest: new Uint8Array(DIGEST_BYTES) };
  let length = (await signDetached(signing, toHashAssertion(likely, padBytes), true)).length;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const hash = toHashAssertion(place(length), padBytes);
    const measured = (await signDetached(signing, hash, true)).length;
    if (measured === length) {
      const manifest = await signDetached(signing, hash, false);
      if (manifest.length === length) return manifest;
    }
    padBytes += length - measured;
    if (padBytes >= 0) continue;
    padBytes = PAD_BYTES;
    length = measured;
  }
  throw new ServiceError('Unavailable', 'The length of the manifest changed with each attempt to sign it.');
}

/** The data hash of C2PA 2.2 §18.6. */
function toHashAssertion({ start, length, digest }: Placement, padBytes: number) {
  return {
    exclusions: [{ start, length }],
    name: 'jumbf manifest',
    alg: 'sha256',
    hash: [...digest],
    pad: Array<number>(padBytes).fill(0),
  };
}
