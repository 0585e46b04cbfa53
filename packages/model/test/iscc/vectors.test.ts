import { readFileSync } from 'node:fs';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/canonical-json.js';
import {
  audioUnit,
  composeIscc,
  createDataHasher,
  createInstanceHasher,
  decodeIscc,
  describeWork,
  encodeIsccUnit,
  imageUnit,
  mixedUnit,
  textUnit,
  videoUnit,
} from '../../src/iscc/index.js';

/** The conformance vectors of iscc-core 1.3.0 (github.com/iscc/iscc-core, iscc_core/data.json, Apache-2.0). */
const file = new URL('../vectors/iscc-core-1.3.0.json', import.meta.url);
const {
  _metadata,
  ...groups
}: Record<string, Record<string, Vector>> = JSON.parse(readFileSync(file, 'utf8'));

interface Vector {
  inputs: unknown[];
  outputs: JsonObject;
}

const bytesOf = (stream: unknown) => hexToBytes(String(stream).replace('stream:', ''));
const unitsOf = (codes: unknown) => (codes as string[]).flatMap(decodeIscc);

function runMeta([name, description, meta, bits]: unknown[]): JsonObject {
  const input = { name: String(name), description: String(description ?? '') };
  const work = describeWork(meta === null ? input : { ...input, meta: meta as JsonObject | string });
  return {
    iscc: encodeIsccUnit(work.unit, Number(bits)),
    name: work.name,
    ...(work.description === '' ? {} : { description: work.description }),
    ...(work.meta === undefined ? {} : { meta: work.meta }),
    metahash: work.metahash,
  };
}

function runInstance([stream, bits]: unknown[]): JsonObject {
  const bytes = bytesOf(stream);
  const hasher = createInstanceHasher();
  hasher.update(bytes);
  const unit = hasher.finish();
  const datahash = `1e20${bytesToHex(unit.digest)}`;
  return { iscc: encodeIsccUnit(unit, Number(bits)), datahash, filesize: bytes.length };
}

function runData([stream, bits]: unknown[]): JsonObject {
  const hasher = createDataHasher();
  hasher.update(bytesOf(stream));
  return { iscc: encodeIsccUnit(hasher.finish(), Number(bits)) };
}

/** `textUnit` returns no number of characters. */
const withoutCount = ({ characters: _, ...outputs }: JsonObject) => outputs;

const runs: Record<string, (inputs: unknown[]) => JsonObject> = {
  gen_meta_code_v0: runMeta,
  gen_text_code_v0: ([text, bits]) => ({ iscc: encodeIsccUnit(textUnit(String(text)), Number(bits)) }),
  gen_image_code_v0: ([pixels, bits]) => ({
    iscc: encodeIsccUnit(imageUnit(pixels as number[]), Number(bits)),
  }),
  gen_audio_code_v0: ([words, bits]) => ({
    iscc: encodeIsccUnit(audioUnit(words as number[]), Number(bits)),
  }),
  gen_video_code_v0: ([frames, bits]) => ({
    iscc: encodeIsccUnit(videoUnit(frames as number[][]), Number(bits)),
  }),
  gen_mixed_code_v0: ([codes, bits]) => ({
    iscc: encodeIsccUnit(mixedUnit(unitsOf(codes), Number(bits)), Number(bits)),
    parts: codes as string[],
  }),
  gen_data_code_v0: runData,
  gen_instance_code_v0: runInstance,
  gen_iscc_code_v0: ([codes]) => ({ iscc: composeIscc(unitsOf(codes)) }),
};

const vectors = Object.entries(groups).flatMap(([group, cases]) =>
  Object.entries(cases).map(([name, vector]) => ({ group, name, vector })),
);

describe('the conformance vectors of iscc-core', () => {
  it('are all read', () => {
    expect(vectors).toHaveLength(50);
    expect(Object.keys(groups).sort()).toEqual(Object.keys(runs).sort());
  });

  it.each(vectors)('$group $name yields the published code', ({ group, vector }) => {
    expect(runs[group]?.(vector.inputs)).toEqual(withoutCount(vector.outputs));
  });
});
