import { createHash } from 'node:crypto';
import { type PdfLayout, prepareAppending } from '../pdf/append-manifest.js';
import { signAround } from './sign-around.js';
import type { Signing } from './signing.js';

/** Every byte of the original stays at the beginning of the result. */
export async function signPdf(signing: Signing): Promise<Uint8Array> {
  const pdf = Buffer.from(signing.bytes.buffer, signing.bytes.byteOffset, signing.bytes.byteLength);
  const layOut = await prepareAppending(pdf, new Date());
  let layout: PdfLayout | undefined;
  const manifest = await signAround(signing, (length) => {
    layout = layOut(length);
    const digest = createHash('sha256').update(layout.head).update(layout.tail).digest();
    return { start: layout.head.length, length, digest };
  });
  // `layout` fits the manifest, because the last call of `layOut` got its length.
  return Buffer.concat([layout?.head ?? pdf, manifest, layout?.tail ?? new Uint8Array()]);
}
