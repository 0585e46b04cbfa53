import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toyDecoder, toyEncoder } from '../../../../bench/support/toy-watermark.mjs';
import { type NeuralModel, readNeuralModel } from '../../src/search/neural/neural-model.js';

export type ModelFiles = Record<string, Uint8Array | string>;

/** The names are those of TrustMark's variant Q. Returns the directory. */
export function writeToyModel(directory: string, changed: ModelFiles = {}): string {
  mkdirSync(directory, { recursive: true });
  const files = { 'encoder_Q.onnx': toyEncoder(), 'decoder_Q.onnx': toyDecoder(), ...changed };
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(directory, name), content);
  return directory;
}

export function openToyModel(directory: string, changed: ModelFiles = {}): NeuralModel {
  const model = readNeuralModel(writeToyModel(directory, changed));
  if (typeof model === 'string') throw new Error(model);
  return model;
}
