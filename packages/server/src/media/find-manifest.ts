import { createHash } from 'node:crypto';
import { type ByteSource, findBytes } from './byte-source.js';
import { findActiveManifest, findStore } from './find-store.js';

export interface WantedManifest {
  /** Media type of the file. */
  mediaType: string;
  label: string;
  /** Whether to return only the active manifest instead of the whole store. */
  activeOnly: boolean;
}

export interface FoundManifest {
  bytes: ByteSource;
  sha256: string;
}

/**
 * Finds the manifest store of a file, or only its active manifest. Undefined when the file has no store, and when the
 * bytes to return do not contain `label`.
 */
export async function findManifest(
  file: ByteSource,
  { mediaType, label, activeOnly }: WantedManifest,
): Promise<FoundManifest | undefined> {
  const store = await findStore(file, mediaType);
  const bytes = store !== undefined && activeOnly ? await findActiveManifest(store) : store;
  if (bytes === undefined || (await findBytes(bytes, Buffer.from(label))) === -1) return undefined;
  return { bytes, sha256: await hash(bytes) };
}

async function hash(source: ByteSource): Promise<string> {
  const sha256 = createHash('sha256');
  for await (const chunk of source.read(0, source.sizeBytes)) sha256.update(chunk);
  return sha256.digest('hex');
}
