import type { ServiceError } from '../../errors.js';
import { MAX_JSON_BYTES } from '../app.js';
import { tooLongText } from './form-errors.js';
import { createCollector } from './receive-body.js';
import type { StreamedFile } from './streamed-form.js';
import type { WholePart } from './whole-form.js';

export interface Limit {
  maxBytes: number;
  toError(): ServiceError;
}

export function isWhole(part: WholePart | StreamedFile): part is WholePart {
  return part.bytes instanceof Uint8Array;
}

/** Throws when the chunks exceed the limit, or when the parser has dropped the rest of the file. */
export async function* bounded(
  part: WholePart | StreamedFile,
  limit: Limit,
  count: (sizeBytes: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of isWhole(part) ? [part.bytes] : part.bytes) {
    sizeBytes += chunk.length;
    count(chunk.length);
    if (sizeBytes > limit.maxBytes) throw limit.toError();
    yield chunk;
  }
  if (!isWhole(part) && part.isCut()) throw limit.toError();
}

export async function collect(part: WholePart | StreamedFile): Promise<Uint8Array> {
  if (isWhole(part)) return part.bytes;
  const collector = createCollector(undefined);
  const limit = { maxBytes: MAX_JSON_BYTES, toError: () => tooLongText(part.name) };
  for await (const chunk of bounded(part, limit)) collector.add(chunk);
  return collector.body();
}
