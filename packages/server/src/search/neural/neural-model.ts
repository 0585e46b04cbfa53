import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { TRUSTMARK_CODES, type TrustMarkCode } from '@colophon/model';
import { z } from 'zod';
import { hasRuntime, INSTALL_RUNTIME } from './runtime.js';

const FILE = 'model.json';
const MAX_FILE_BYTES = 2 ** 29;
/** Names of the service's own algorithms. */
const RESERVED_NAME = /^(colophon|io\.iscc)\./i;

const name = z.string().min(1).max(200);
const file = z.string().regex(/^[\w.-]{1,200}$/, 'must be the name of a file in the directory');
const side = z.int().min(32).max(1024);

const modelSchema = z.strictObject({
  algorithm: z
    .string()
    .regex(
      /^(?=.{1,100}$)[A-Za-z0-9-]+(\.[A-Za-z0-9_-]+)+$/,
      'must be the name of a soft binding algorithm with a domain, e.g. com.adobe.trustmark.Q',
    )
    .refine((text) => !RESERVED_NAME.test(text), 'must not begin with `colophon.` or `io.iscc.`')
    .default('com.adobe.trustmark.Q'),
  code: z.enum(Object.keys(TRUSTMARK_CODES) as TrustMarkCode[]).default('BCH_5'),
  encoder: z
    .strictObject({
      file: file.default('encoder_Q.onnx'),
      side: side.default(256),
      image: name.default('onnx::Concat_0'),
      secret: name.default('onnx::Gemm_1'),
      output: name.default('image'),
    })
    .prefault({}),
  decoder: z
    .strictObject({
      file: file.default('decoder_Q.onnx'),
      side: side.default(256),
      image: name.default('image'),
      output: name.default('output'),
    })
    .prefault({}),
  range: z
    .tuple([z.number(), z.number()])
    .refine(([low, high]) => low < high, 'must be two numbers, the smaller first, e.g. [-1, 1]')
    .default([-1, 1]),
  strength: z.number().positive().max(4).default(1),
  squareAbove: z.number().min(1).max(1000).default(2),
});

/**
 * A model of `WATERMARK_MODEL_DIR`. `range`: the values of black and white. `strength`: factor of the change.
 * `squareAbove`: ratio of the sides above which the model sees only the middle square.
 */
export interface NeuralModel extends z.output<typeof modelSchema> {
  directory: string;
  sizeBytes: number;
}

/**
 * Reads the description of a model, or returns the problem in a sentence. `from`: the file that imports the runtime.
 */
export function readNeuralModel(directory: string, from?: string | URL): NeuralModel | string {
  const parsed = readDescription(directory);
  if (typeof parsed === 'string') return parsed;
  const sizes = [parsed.encoder.file, parsed.decoder.file].map((name) => sizeOf(path.join(directory, name)));
  const lack = [parsed.encoder, parsed.decoder].find((_, at) => sizes[at] === undefined);
  if (lack !== undefined)
    return `WATERMARK_MODEL_DIR names ${directory}, which has no file ${lack.file} of at most ${MAX_FILE_BYTES} bytes: copy the file there, or name it in ${FILE}`;
  if (!hasRuntime(from))
    return `WATERMARK_MODEL_DIR needs a package that is not installed: ${INSTALL_RUNTIME}`;
  const sizeBytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  return { ...parsed, directory, sizeBytes };
}

/** Reads `model.json`. If this file is missing, returns the names and values of TrustMark's variant Q. */
function readDescription(directory: string): z.output<typeof modelSchema> | string {
  const place = path.join(directory, FILE);
  try {
    const json: unknown = existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : {};
    const { data, error } = modelSchema.safeParse(json);
    if (data !== undefined) return data;
    const [issue] = error.issues;
    return `${place} of WATERMARK_MODEL_DIR is not valid: ${issue?.path.join('.') || 'it'}: ${issue?.message}`;
  } catch (error) {
    return `${place} of WATERMARK_MODEL_DIR is not readable JSON: ${error instanceof Error ? error.message : error}`;
  }
}

function sizeOf(place: string): number | undefined {
  const found = statSync(place, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= MAX_FILE_BYTES ? found.size : undefined;
}

/** Memory of a runtime without the weights, in bytes. */
const RUNTIME_BYTES = 128 * 2 ** 20;
/** Copies of a model in memory: the file, the weights, and the optimised weights. */
const COPIES = 3;

export function memoryOfModel(model: NeuralModel | undefined): number {
  return model === undefined ? 0 : RUNTIME_BYTES + COPIES * model.sizeBytes;
}
