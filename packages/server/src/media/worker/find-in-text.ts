import { toSource } from '../byte-source.js';
import { findManifest } from '../find-manifest.js';
import type { FindInTextTask, FindOutcome } from './protocol.js';

/** Finds the manifest in the bytes of a text or SVG. */
export async function findInText({ bytes, ...wanted }: FindInTextTask): Promise<FindOutcome> {
  const file = toSource(Buffer.from(bytes.buffer));
  const found = await findManifest(file, wanted);
  // A store in a text is in memory. The copy leaves out the bytes around it.
  return { found: found?.bytes.bytes && { bytes: new Uint8Array(found.bytes.bytes), sha256: found.sha256 } };
}
