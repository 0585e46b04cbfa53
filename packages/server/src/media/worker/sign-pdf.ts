import { createHash } from 'node:crypto';
import { ServiceError } from '../../errors.js';
import { type PdfLayout, prepareAppending } from '../pdf/append-manifest.js';
import { signDetached } from './sign-manifest.js';
import type { Signing } from './signing.js';

const DIGEST_BYTES = 32;
const PAD_BYTES = 32;
const MAX_PASSES = 6;
/** Assumed length of the manifest. CBOR encodes it in as many bytes as the real length. */
const LIKELY_BYTES = 12_000;

/** Signs the file. Every byte of the original stays at the beginning of the result. */
export async function signPdf(signing: Signing): Promise<Uint8Array> {
  const pdf = Buffer.from(signing.bytes.buffer, signing.bytes.byteOffset, signing.bytes.byteLength);
  const layOut = await prepareAppending(pdf, new Date());
  let padBytes = PAD_BYTES;
  const draft = { start: pdf.length, length: LIKELY_BYTES, digest: Buffer.alloc(DIGEST_BYTES), padBytes };
  let length = (await signDetached(signing, toHashAssertion(draft), true)).length;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const layout = layOut(length);
    const hash = toHashAssertion({ start: layout.head.length, length, digest: toDigest(layout), padBytes });
    const measured = (await signDetached(signing, hash, true)).length;
    if (measured === length) {
      const manifest = await signDetached(signing, hash, false);
      if (manifest.length === length) return Buffer.concat([layout.head, manifest, layout.tail]);
    }
    padBytes += length - measured;
    if (padBytes >= 0) continue;
    padBytes = PAD_BYTES;
    length = measured;
  }
  throw new ServiceError('Unavailable', 'The manifest did not settle to one length.');
}

/** Builds the data hash (C2PA 2.2 §18.6) of everything except the manifest itself. */
function toHashAssertion(of: { start: number; length: number; digest: Buffer; padBytes: number }) {
  return {
    exclusions: [{ start: of.start, length: of.length }],
    name: 'jumbf manifest',
    alg: 'sha256',
    hash: [...of.digest],
    pad: Array<number>(of.padBytes).fill(0),
  };
}

function toDigest({ head, tail }: PdfLayout): Buffer {
  return createHash('sha256').update(head).update(tail).digest();
}
