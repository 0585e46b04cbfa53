import { type WasmBuilder, WasmReader } from '@contentauth/c2pa-wasm';
import type { ManifestStore } from '../media-engine.js';
import { BytesBlob } from './c2pa-wasm.js';
import { bindToText, locateManifest, STORE_TYPE } from './read-text.js';

export interface TextIngredient {
  json: Record<string, unknown>;
  mediaType: string;
  bytes: Uint8Array;
  settings: string;
}

/** The engine cannot validate a text. Adds nothing and returns false if the text has no manifest store. */
export async function addTextIngredient(
  builder: WasmBuilder,
  { json, mediaType, bytes, settings }: TextIngredient,
): Promise<boolean> {
  const located = locateManifest(bytes, mediaType);
  if (located.kind !== 'store') return false;
  const reader = await WasmReader.fromBytes(STORE_TYPE, located.store, settings);
  try {
    const read = JSON.parse(reader.json()) as ManifestStore;
    const store = bindToText(read, { detailed: reader.crJson(), bytes, located });
    const identifier = `${store.active_manifest}.c2pa`;
    builder.addResourceFromBlob(identifier, new BytesBlob(located.store));
    const manifest = {
      format: mediaType,
      active_manifest: store.active_manifest,
      manifest_data: { format: STORE_TYPE, identifier },
      validation_results: store.validation_results,
    };
    builder.addIngredient(JSON.stringify({ ...json, ...manifest }));
    return true;
  } finally {
    reader.free();
  }
}
