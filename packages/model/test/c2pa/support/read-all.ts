import { expect } from 'vitest';
import {
  bundleDraftSchema,
  detectAi,
  displaySchema,
  manifestSchema,
  parseManifestStore,
  toBundle,
  toDisplay,
  toManifest,
  toValidation,
  validationSchema,
} from '../../../src/index.js';
import { FILE_CID } from './stores.js';

export function readAll(json: unknown) {
  const store = parseManifestStore(json);
  const manifest = manifestSchema.parse(toManifest(store));
  const bundle = bundleDraftSchema.parse(toBundle(store, { fileCid: FILE_CID }));
  validationSchema.parse(toValidation(store));
  displaySchema.parse(toDisplay(store));
  detectAi(store);
  return { store, manifest, bundle };
}

export function expectNoCycle({ actions }: { actions: { inputCids: string[]; outputCids: string[] }[] }) {
  const made = new Map<string, Set<string>>();
  for (const { inputCids, outputCids } of actions) {
    for (const output of outputCids) {
      const inputs = made.get(output) ?? new Set();
      for (const input of inputCids) inputs.add(input);
      made.set(output, inputs);
    }
  }
  const done = new Set<string>();
  for (let removed = true; removed; ) {
    removed = false;
    for (const [output, inputs] of made) {
      if (done.has(output) || [...inputs].some((input) => made.has(input) && !done.has(input))) continue;
      done.add(output);
      removed = true;
    }
  }
  expect(done.size).toBe(made.size);
}
