import { createHash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import type { ByteSource } from './byte-source.js';
import { cutActiveManifest, findStore, listManifests } from './find-store.js';

/** Maximum size of a manifest store, which the main thread reads twice: for its labels, and for its SHA-256. */
export const MAX_STORE_BYTES = 32 * 2 ** 20;

export interface WantedManifest {
  mediaType: string;
  label: string;
  /** Whether to return only the active manifest, which must then have the label. */
  activeOnly: boolean;
}

export interface FoundManifest {
  bytes: ByteSource;
  sha256: string;
}

/**
 * Returns undefined if the file has no manifest with the wanted label. Throws `NotFound` for a store of more than 32
 * MiB.
 */
export async function findManifest(
  file: ByteSource,
  { mediaType, label, activeOnly }: WantedManifest,
): Promise<FoundManifest | undefined> {
  const store = await findStore(file, mediaType);
  if (store === undefined) return undefined;
  assertSize(store);
  const manifests = (await listManifests(store)) ?? [];
  const wanted = activeOnly ? manifests.slice(-1) : manifests;
  if (!wanted.some((manifest) => manifest.label === label)) return undefined;
  const bytes = activeOnly ? cutActiveManifest(store, manifests) : store;
  return bytes && { bytes, sha256: await hash(bytes) };
}

function assertSize({ sizeBytes }: ByteSource): void {
  if (sizeBytes <= MAX_STORE_BYTES) return;
  const message = `The manifest store of this file has ${sizeBytes} bytes. The limit is ${MAX_STORE_BYTES} bytes.`;
  const recovery = 'Download the content, and read its manifest store with a C2PA program.';
  throw new ServiceError('NotFound', message, { recovery });
}

async function hash(source: ByteSource): Promise<string> {
  const sha256 = createHash('sha256');
  for await (const chunk of source.read(0, source.sizeBytes)) sha256.update(chunk);
  return sha256.digest('hex');
}
