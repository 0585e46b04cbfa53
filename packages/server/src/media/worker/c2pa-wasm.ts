import initWasm from '@contentauth/c2pa-wasm';
import { SERVICE_USAGES, SIGNING_USAGES } from '../signing/key-usages.js';

/** The engine's builder calls `size` and `slice`, and reads through FileReaderSync. */
export class BytesBlob extends Blob {
  override readonly size: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super([]);
    this.#bytes = bytes;
    this.size = bytes.byteLength;
  }

  override slice(start = 0, end = this.size): Blob {
    return new BytesBlob(this.#bytes.subarray(start, end));
  }

  readSync(): ArrayBufferLike {
    const { buffer, byteOffset, byteLength } = this.#bytes;
    const isWhole = byteOffset === 0 && byteLength === buffer.byteLength;
    return isWhole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
  }
}

class SyncReader {
  readAsArrayBuffer(blob: BytesBlob): ArrayBufferLike {
    return blob.readSync();
  }
}

/** Returns a function that returns the size of the engine's memory in bytes. */
export async function loadEngine(program: WebAssembly.Module): Promise<() => number> {
  Object.defineProperty(globalThis, 'FileReaderSync', { value: SyncReader });
  const { memory } = await initWasm({ module_or_path: program });
  return () => memory.buffer.byteLength;
}

/**
 * Each call has its own trust anchors. Everything that could reach the network is off. The settings list all key usages
 * of C2PA, because the engine by default requires `e-mail protection`, and would reject the files of every certified
 * C2PA product.
 */
export function toEngineSettings(trustAnchorsPem: string | undefined): string {
  return toSettings(trustAnchorsPem === undefined ? {} : { trust_anchors: trustAnchorsPem });
}

/**
 * Returns settings only for the check of identities (CAWG). With these settings, the engine trusts signers of claims
 * under these anchors too.
 */
function toIdentitySettings(anchorsPem: string): string {
  return toSettings({
    anchors: [{ trust_kind: 'cawg', trust_uri: 'identities', trust_anchors: anchorsPem }],
  });
}

interface Anchors {
  trustAnchorsPem?: string | undefined;
  identityAnchorsPem?: string | undefined;
}

export function toReadSettings({ trustAnchorsPem, identityAnchorsPem }: Anchors): {
  settings: string;
  identitySettings: string | undefined;
} {
  return {
    settings: toEngineSettings(trustAnchorsPem),
    identitySettings: identityAnchorsPem === undefined ? undefined : toIdentitySettings(identityAnchorsPem),
  };
}

function toSettings(anchors: Record<string, unknown>): string {
  return JSON.stringify({
    trust: { ...anchors, trust_config: [...SIGNING_USAGES, ...SERVICE_USAGES].join('\n') },
    verify: { remote_manifest_fetch: false, ocsp_fetch: false, verify_after_sign: false },
    core: { allowed_network_hosts: [] },
  });
}
