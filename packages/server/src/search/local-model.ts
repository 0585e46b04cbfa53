import path from 'node:path';
import { ServiceError } from '../errors.js';
import type { TextEmbedder } from './embed-text.js';
import { isInstalled } from './is-installed.js';
import { normalise } from './vector.js';

/** The optional package that runs models. An operator installs it next to the service. */
export const MODEL_RUNNER = '@huggingface/transformers';

/** The part of the package that the service uses. */
export interface ModelRunner {
  env: { allowRemoteModels: boolean; localModelPath: string; useFSCache: boolean };
  pipeline(
    task: 'feature-extraction',
    model: string,
  ): Promise<
    (text: string, how: { pooling: 'mean'; normalize: true }) => Promise<{ data: ArrayLike<number> }>
  >;
}

/** Longest embedded part of a text, in UTF-16 units. */
const MAX_CHARACTERS = 8_000;

export function hasModelRunner(): boolean {
  return isInstalled(MODEL_RUNNER);
}

/** Embeds texts with the model in a directory. The first text loads the model. Nothing is downloaded. */
export function createLocalEmbedder(
  directory: string,
  load: () => Promise<ModelRunner> = loadRunner,
): TextEmbedder {
  const name = path.basename(directory);
  let model: ReturnType<ModelRunner['pipeline']> | undefined;
  const open = async () => {
    const { env, pipeline } = await load();
    Object.assign(env, {
      allowRemoteModels: false,
      localModelPath: path.dirname(directory),
      useFSCache: false,
    });
    return pipeline('feature-extraction', name);
  };
  return {
    method: `embedding/${name}`,
    async embed(text) {
      try {
        model ??= open();
        const run = await model;
        const { data } = await run(text.slice(0, MAX_CHARACTERS), { pooling: 'mean', normalize: true });
        const vector = Float32Array.from(normalise(data, 1));
        if (!vector.every(Number.isFinite) || !vector.some((value) => value !== 0))
          throw new Error('the model returned no vector');
        return vector;
      } catch (cause) {
        model = undefined;
        throw new ServiceError('EmbeddingFailed', 'The embedding model returned no vector.', { cause });
      }
    },
  };
}

async function loadRunner(): Promise<ModelRunner> {
  const name: string = MODEL_RUNNER;
  return (await import(name)) as ModelRunner;
}
