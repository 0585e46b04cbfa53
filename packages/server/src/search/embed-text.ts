import { ServiceError } from '../errors.js';
import { readBounded } from '../platform/net/read-bounded.js';
import { normalise } from './vector.js';

/** A provider of embeddings with an OpenAI-compatible endpoint. */
export interface EmbeddingsConfig {
  url: string;
  model: string;
  apiKey: string | undefined;
}

export interface TextEmbedder {
  /** Vectors of different methods cannot be compared. */
  method: string;
  /**
   * Rejects with `EmbeddingFailed` when the provider returns no vector, and with the signal's reason when it aborts.
   */
  embed(text: string, signal?: AbortSignal): Promise<Float32Array>;
}

const LIMIT_MS = 15_000;
const MAX_DIMENSIONS = 4096;
/** Longest embedded part of a text, in UTF-16 units. */
const MAX_CHARACTERS = 8_000;
const MAX_ANSWER_BYTES = 2 ** 20;

export function createTextEmbedder(
  { url, model, apiKey }: EmbeddingsConfig,
  fetch = globalThis.fetch,
): TextEmbedder {
  const address = url.endsWith('/embeddings') ? url : `${url.replace(/\/+$/, '')}/embeddings`;
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return {
    method: `embedding/${model}`,
    async embed(text, signal) {
      const body = JSON.stringify({ model, input: text.slice(0, MAX_CHARACTERS) });
      try {
        const answer = await fetch(address, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', ...authorization },
          redirect: 'error',
          signal: AbortSignal.any([AbortSignal.timeout(LIMIT_MS), ...(signal === undefined ? [] : [signal])]),
        });
        if (!answer.ok) throw new Error(`it answered ${answer.status}`);
        return readVector(JSON.parse((await readBounded(answer.body, MAX_ANSWER_BYTES)).toString()));
      } catch (cause) {
        signal?.throwIfAborted();
        throw new ServiceError('EmbeddingFailed', 'The embedding provider returned no vector.', { cause });
      }
    },
  };
}

function readVector(json: unknown): Float32Array {
  const [first] = (json as { data?: { embedding?: unknown }[] } | null)?.data ?? [];
  const numbers: unknown = first?.embedding;
  if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > MAX_DIMENSIONS)
    throw new Error('its answer holds no vector');
  if (!numbers.every((value) => typeof value === 'number' && Number.isFinite(value)))
    throw new Error('its vector has a value that is not a number');
  const vector = Float32Array.from(normalise(numbers, 1));
  if (!vector.some((value) => value !== 0)) throw new Error('its vector is zero');
  return vector;
}
