import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toyDecoder, toyEncoder } from '../../../../bench/support/toy-watermark.mjs';
import { type NeuralModel, readNeuralModel } from '../../src/search/neural/neural-model.js';

/** Files of a model directory, by name. */
export type ModelFiles = Record<string, Uint8Array | string>;

/** Writes a toy model with the names of TrustMark's variant Q, and returns its directory. */
export function writeToyModel(directory: string, changed: ModelFiles = {}): string {
  mkdirSync(directory, { recursive: true });
  const files = { 'encoder_Q.onnx': toyEncoder(), 'decoder_Q.onnx': toyDecoder(), ...changed };
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(directory, name), content);
  return directory;
}

/** Writes and reads a toy model. */
export function openToyModel(directory: string, changed: ModelFiles = {}): NeuralModel {
  const model = readNeuralModel(writeToyModel(directory, changed));
  if (typeof model === 'string') throw new Error(model);
  return model;
}
