import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { toTrustMarkBinding } from '@colophon/model';
import { type MarkRaster, readTrustMark, TRUSTMARK_BITS, writeTrustMark } from '@colophon/model/watermark';
import { toModelFormat } from '../image-mark.js';
import type { NeuralModel } from '../neural/neural-model.js';
import { addResidual, type ModelPicture, type Region, regionOf, toResidual } from '../neural/residual.js';
import { type ModelSession, type OnnxRuntime, openRuntime, type Tensor } from '../neural/runtime.js';
import type { ImageMarkAlgorithm } from './image-mark-algorithm.js';
import { openLibrary } from './open-picture.js';

/** Logs only fatal errors. The thread returns the other errors of a model. */
const LOG_LEVEL = 4;

/** A part of a model, in the form of `model.json`. */
interface ModelPart {
  file: string;
  inputs: readonly string[];
  output: string;
}

type Input = [data: Float32Array, dims: number[]];

/** `dims`: shape of the result. */
type RunPart = (inputs: readonly Input[], dims: readonly number[]) => Promise<Tensor>;

/** The first use loads the model. */
export function createNeuralMark(model: NeuralModel): ImageMarkAlgorithm {
  const { encoder, decoder, code, algorithm: alg, range, strength, squareAbove } = model;
  const embedder = createPart(model, { ...encoder, inputs: [encoder.image, encoder.secret] });
  const reader = createPart(model, { ...decoder, inputs: [decoder.image] });
  return {
    ...toModelFormat(model),
    async embed(raster, payload) {
      const { side } = encoder;
      const region = regionOf(raster, squareAbove);
      const cover = await toValues(raster, region, { side, range });
      const secret = Float32Array.from(writeTrustMark({ code, payload }));
      const dims = [1, 3, side, side];
      const inputs: Input[] = [
        [cover, dims],
        [secret, [1, TRUSTMARK_BITS]],
      ];
      const { data } = await embedder(inputs, dims);
      return addResidual(raster, region, toResidual(cover, data, { side, range, strength }));
    },
    async detect(raster) {
      const { side } = decoder;
      const values = await toValues(raster, regionOf(raster, squareAbove), { side, range });
      const { data } = await reader([[values, [1, 3, side, side]]], [1, TRUSTMARK_BITS]);
      const bits = Uint8Array.from(Array.from(data, Number), (value) => (value > 0 ? 1 : 0));
      const packet = readTrustMark(bits, code);
      return packet && toTrustMarkBinding({ alg, code: packet.code }, packet.payload);
    },
  };
}

function createPart({ directory }: NeuralModel, { file, inputs, output }: ModelPart): RunPart {
  const session = once(async () =>
    openSession(await openRuntime(), path.join(directory, file), { inputs, output }),
  );
  return async (values, dims) => {
    const [{ Tensor }, opened] = [await openRuntime(), await session()];
    const feeds = Object.fromEntries(
      values.map(([data, shape], at) => [inputs[at] ?? '', new Tensor('float32', data, shape)]),
    );
    const result = (await explain(file, () => opened.run(feeds)))[output];
    assertShape(result, { file, dims });
    return result;
  };
}

async function openSession(
  { InferenceSession }: OnnxRuntime,
  place: string,
  { inputs, output }: Omit<ModelPart, 'file'>,
): Promise<ModelSession> {
  const file = path.basename(place);
  const bytes = await readFile(place);
  const session = await explain(file, () =>
    InferenceSession.create(bytes, { executionProviders: ['wasm'], logSeverityLevel: LOG_LEVEL }),
  );
  const { inputNames, outputNames } = session;
  const hasInputs = inputs.length === inputNames.length && inputs.every((name) => inputNames.includes(name));
  if (hasInputs && outputNames.includes(output)) return session;
  throw new Error(
    `${file} has the inputs ${inputNames.join(', ')} and the outputs ${outputNames.join(', ')}. model.json must name its inputs and its output, and names ${[...inputs, output].join(', ')}.`,
  );
}

async function explain<T>(file: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw new Error(`${file} does not work: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

function assertShape(
  result: Tensor | undefined,
  { file, dims }: { file: string; dims: readonly number[] },
): asserts result is Tensor {
  const count = dims.reduce((product, size) => product * size, 1);
  if (result === undefined || result.data.length !== count || result.dims.join() !== dims.join())
    throw new Error(
      `${file} returns an array of ${result?.dims.join(' x ') || 'no'} values. It must have ${dims.join(' x ')}.`,
    );
  for (let at = 0; at < count; at++) {
    if (!Number.isFinite(Number(result.data[at])))
      throw new Error(`${file} returns values that are not finite numbers.`);
  }
}

/** Scales a part of a picture to a square: red, then green, then blue. */
async function toValues(
  { width, height, channels, data }: MarkRaster,
  region: Region,
  { side, range: [low, high] }: ModelPicture,
): Promise<Float32Array> {
  const sharp = await openLibrary();
  const input = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const pixels = await sharp(input, { raw: { width, height, channels } })
    .extract(region)
    .removeAlpha()
    .toColourspace('srgb')
    .resize(side, side, { fit: 'fill', kernel: 'linear' })
    .raw({ depth: 'uchar' })
    .toBuffer();
  const plane = side * side;
  const values = new Float32Array(3 * plane);
  for (let at = 0; at < plane; at++)
    for (let channel = 0; channel < 3; channel++)
      values[channel * plane + at] = low + ((high - low) * (pixels[3 * at + channel] ?? 0)) / 255;
  return values;
}

/** Calls `open` once, and again after a failure. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}
