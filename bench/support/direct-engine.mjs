import { toManifestDefinition } from '@colophon/model';
import { WasmBuilder, WasmReader } from '@contentauth/c2pa-wasm';
import { compileEngine } from '../../packages/server/dist/media/compile-engine.js';
import { checkSigner } from '../../packages/server/dist/media/signing/check-signer.js';
import { createCoseSigner } from '../../packages/server/dist/media/signing/cose-signer.js';
import { createDevelopmentSigner } from '../../packages/server/dist/media/signing/development-signer.js';
import {
  BytesBlob,
  loadEngine,
  toEngineSettings,
} from '../../packages/server/dist/media/worker/c2pa-wasm.js';

export const SAID = {
  title: 'A file of the benchmark',
  generator: { name: 'Bench', version: '1.0' },
  aiDisclosure: 'ai_assisted',
};

/** Calls the engine in this thread. Times are in milliseconds. */
export async function openDirectEngine() {
  await loadEngine(await compileEngine());
  const settings = toEngineSettings();
  const { certificatePem, privateKeyPem } = createDevelopmentSigner();
  const cose = createCoseSigner(checkSigner({ certificatePem, privateKeyPem }, new Date()));
  const { definition } = toManifestDefinition({ ...SAID, actions: [], ingredients: [], metadata: {} });
  const json = JSON.stringify({ claim_version: 2, ...definition });

  return {
    /** `signMs` is the time of the engine without the signature itself. */
    async sign({ mediaType, bytes, thumbnail }) {
      let signatureMs = 0;
      const sign = async (payload) => {
        const startedMs = performance.now();
        const signature = new Uint8Array(await cose.sign({ payload, isDraft: false }));
        signatureMs += performance.now() - startedMs;
        return signature;
      };
      const startedMs = performance.now();
      const builder = WasmBuilder.fromJson(json, settings);
      if (thumbnail !== undefined) builder.setThumbnailFromBlob('image/jpeg', new BytesBlob(thumbnail));
      const signer = { alg: cose.algorithm, reserveSize: cose.reserveBytes, sign };
      const builtMs = performance.now();
      const signed = await builder.sign(signer, [], mediaType, new BytesBlob(bytes));
      const endedMs = performance.now();
      builder.free();
      return { signed, wholeMs: endedMs - startedMs, signMs: endedMs - builtMs - signatureMs };
    },
    async read({ mediaType, bytes }) {
      const startedMs = performance.now();
      const reader = await WasmReader.fromBytes(mediaType, bytes, settings);
      const store = JSON.parse(reader.json());
      const readMs = performance.now() - startedMs;
      reader.free();
      if (store.validation_state === 'Invalid') throw new Error('The engine rejects the file that it signed');
      return { readMs };
    },
  };
}
