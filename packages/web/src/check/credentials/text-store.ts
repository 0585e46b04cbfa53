import { checkTextBinding, locateTextManifest, type TextManifest } from '@colophon/model';
import { DataHashAssertion, type ManifestStore } from '@trustnxt/c2pa-ts/manifest';

/** Bytes at the start of a file that decide whether it is text. */
const SAMPLE_BYTES = 4096;

type StoreInText = TextManifest & { kind: 'store' };

/** Returns undefined for other files, and for XML, whose manifests only the service reads. */
export function readTextSample(bytes: Uint8Array): string | undefined {
  try {
    const sample = bytes.subarray(0, SAMPLE_BYTES);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    const isOther = text === '' || /(?![\t\n\v\f\r])\p{Cc}/u.test(text) || /<\?xml|<svg[\s>]/.test(text);
    return isOther ? undefined : text;
  } catch {
    return undefined; // the decoder throws for one reason only: the bytes are not UTF-8
  }
}

export function locateInText(bytes: Uint8Array, sample: string): TextManifest {
  return locateTextManifest(bytes, { isHtml: /<(?:!doctype\s+html|html)[\s>]/i.test(sample) });
}

/** Whether the verified hash excludes only the manifest and no other part of the text. */
export function coversText(store: ManifestStore, bytes: Uint8Array, { carrier }: StoreInText): boolean {
  const hash = store
    .getActiveManifest()
    ?.assertions?.assertions.find((one) => one instanceof DataHashAssertion);
  if (hash?.hash === undefined) return false;
  const { hash: digest, exclusions } = hash;
  const binding = { alg: 'sha256', hash: digest, exclusions };
  return checkTextBinding({ text: bytes, carrier, binding }, () => digest) === 'assertion.dataHash.match';
}

/** Whether the hash covers exactly these bytes. In an `unstructured` manifest, it covers the NFC form of the text. */
export function isNormalized(bytes: Uint8Array, { carrier }: StoreInText): boolean {
  if (carrier.method !== 'unstructured') return true;
  const text = new TextDecoder().decode(bytes);
  return text.normalize('NFC') === text;
}
