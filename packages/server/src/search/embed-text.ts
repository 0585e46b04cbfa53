import { ServiceError } from '../errors.js';
import { normalise } from './vector.js';

/** A provider of embeddings with an OpenAI-compatible endpoint. */
export interface EmbeddingsConfig {
  url: string;
  model: string;
  apiKey: string | undefined;
}

/** Turns a text into a unit vector. */
export interface TextEmbedder {
  /** The method name of the stored vectors. Vectors of different models cannot be compared. */
  method: string;
  /** Rejects with `EmbeddingFailed` when the provider does not return a vector. */
  embed(text: string): Promise<Float32Array>;
}

const LIMIT_MS = 15_000;
const MAX_DIMENSIONS = 4096;
/** How much of a text is embedded, in UTF-16 units; models take little more. */
const MAX_CHARACTERS = 8_000;
/** Longest answer that is read: the most numbers, each written at length. */
const MAX_ANSWER_BYTES = 2 ** 20;

/** `fetch` is `globalThis.fetch` when absent. */
export function createTextEmbedder(
  { url, model, apiKey }: EmbeddingsConfig,
  fetch = globalThis.fetch,
): TextEmbedder {
  const address = url.endsWith('/embeddings') ? url : `${url.replace(/\/+$/, '')}/embeddings`;
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return {
    method: `embedding/${model}`,
    async embed(text) {
      const body = JSON.stringify({ model, input: text.slice(0, MAX_CHARACTERS) });
      try {
        const answer = await fetch(address, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', ...authorization },
          redirect: 'error',
          signal: AbortSignal.timeout(LIMIT_MS),
        });
        if (!answer.ok) throw new Error(`it answered ${answer.status}`);
        return readVector(JSON.parse(await readBounded(answer)));
      } catch (cause) {
        throw new ServiceError('EmbeddingFailed', 'The embedding provider returned no vector.', { cause });
      }
    },
  };
}

/** Reads the text of the response. Throws, and stops reading, when it is too long. */
async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_ANSWER_BYTES) throw new Error(`its answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The vector of `{data: [{embedding}]}`; throws for anything else, and for numbers that are none. */
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
