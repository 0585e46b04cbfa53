/** A stream of chunks of bytes, such as a file of `node:fs` or the result of a generator. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Bytes to send. The client reads a Blob or File during the upload. A stream can be sent only once, so the client never
 * repeats its upload. A function opens a stream, and the client calls the function for every attempt.
 */
export type Content = Uint8Array | ArrayBuffer | Blob | ByteStream | (() => ByteStream);

/** Returns undefined for a stream and for a function. */
export function sizeOf(content: Content): number | undefined {
  if (content instanceof Blob) return content.size;
  return bytesOf(content)?.byteLength;
}

/** `instanceof` would fail for bytes from another frame of the page. */
function bytesOf(content: Content): Uint8Array | undefined {
  if (ArrayBuffer.isView(content)) {
    return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  }
  const isBuffer = Object.prototype.toString.call(content) === '[object ArrayBuffer]';
  return isBuffer ? new Uint8Array(content as ArrayBuffer) : undefined;
}

export function isRereadable(content: Content): boolean {
  return typeof content === 'function' || sizeOf(content) !== undefined;
}

const SLICE_BYTES = 65_536;

export async function* readContent(content: Content): AsyncGenerator<Uint8Array> {
  const bytes = bytesOf(content);
  if (bytes !== undefined) yield* slices(bytes);
  else if (typeof content === 'function') yield* readContent(content());
  else if (content instanceof Blob) yield* readStream(content.stream());
  else if (isIterable(content)) yield* content;
  else if (content instanceof ReadableStream) yield* readStream(content);
  else throw new TypeError('Expected content as bytes, a Blob, a stream, or a function that opens a stream.');
}

function isIterable(content: unknown): content is AsyncIterable<Uint8Array> {
  return Symbol.asyncIterator in Object(content);
}

/** In chunks, so that the client can report progress. */
export function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}

/** Some browsers cannot iterate over streams. */
async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

/** A browser may store a Blob outside memory. */
export async function toBlob(content: Content): Promise<Blob> {
  if (content instanceof Blob) return content;
  const bytes = bytesOf(content);
  if (bytes !== undefined) return new Blob([bytes as BlobPart]);
  const pieces: BlobPart[] = [];
  for await (const piece of readContent(content)) pieces.push(piece as BlobPart);
  return new Blob(pieces);
}
