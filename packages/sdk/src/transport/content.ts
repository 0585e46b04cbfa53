/** Bytes as they come: of a stream, of a file of `node:fs`, of a generator. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Bytes to send. A Blob or File is read as it is sent. A stream is sent once: an upload of one is never repeated. A
 * function that opens a stream is called for every attempt.
 */
export type Content = Uint8Array | ArrayBuffer | Blob | ByteStream | (() => ByteStream);

/** How many bytes there are; undefined for a stream. */
export function sizeOf(content: Content): number | undefined {
  if (content instanceof Blob) return content.size;
  return bytesOf(content)?.byteLength;
}

/** Bytes that are in memory, also those of another frame, whose classes are others; undefined for anything else. */
function bytesOf(content: Content): Uint8Array | undefined {
  if (ArrayBuffer.isView(content)) {
    return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  }
  const isBuffer = Object.prototype.toString.call(content) === '[object ArrayBuffer]';
  return isBuffer ? new Uint8Array(content as ArrayBuffer) : undefined;
}

/** Whether the same bytes can be read a second time. */
export function isRereadable(content: Content): boolean {
  return typeof content === 'function' || sizeOf(content) !== undefined;
}

const SLICE_BYTES = 65_536;

/** The bytes, piece by piece. */
export async function* readContent(content: Content): AsyncGenerator<Uint8Array> {
  const bytes = bytesOf(content);
  if (bytes !== undefined) yield* slices(bytes);
  else if (typeof content === 'function') yield* readContent(content());
  else if (content instanceof Blob) yield* readStream(content.stream());
  else if (isIterable(content)) yield* content;
  else if (content instanceof ReadableStream) yield* readStream(content);
  else throw new TypeError('Content is bytes, a Blob, a stream, or a function that opens one.');
}

function isIterable(content: unknown): content is AsyncIterable<Uint8Array> {
  return Symbol.asyncIterator in Object(content);
}

/** In pieces, so that progress can be told. */
export function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}

/** Not every browser iterates over streams. */
async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

/** The bytes as a Blob, which a browser may keep outside memory. */
export async function toBlob(content: Content): Promise<Blob> {
  if (content instanceof Blob) return content;
  const bytes = bytesOf(content);
  if (bytes !== undefined) return new Blob([bytes as BlobPart]);
  const pieces: BlobPart[] = [];
  for await (const piece of readContent(content)) pieces.push(piece as BlobPart);
  return new Blob(pieces);
}
