import { decodePDFRawStream, PDFContext, PDFRawStream } from 'pdf-lib';

const FREE_BYTES = 64 * 1024 * 1024;
const BYTES_PER_FILE_BYTE = 8;

/** Every filter of the parser requests its memory with `ensureBuffer`. */
interface GrowingStream {
  buffer: Uint8Array;
  ensureBuffer(requestedBytes: number): Uint8Array;
}

/** Limit of all decoded streams of a PDF together, in bytes. */
export function inflationLimit(fileBytes: number): number {
  return FREE_BYTES + BYTES_PER_FILE_BYTE * fileBytes;
}

/**
 * Returns undefined when the parser exceeds the limit. A few bytes can decode to gigabytes, and the memory limit of a
 * worker thread does not count these buffers. Calls must not overlap, because each one replaces a method of the parser.
 */
export async function parseWithin<T>(limitBytes: number, parse: () => Promise<T>): Promise<T | undefined> {
  const stream = findStreamPrototype();
  const { ensureBuffer } = stream;
  let usedBytes = 0;
  stream.ensureBuffer = function grow(requestedBytes) {
    const { byteLength } = this.buffer;
    if (requestedBytes <= byteLength) return this.buffer;
    if (usedBytes + requestedBytes - byteLength > limitBytes) {
      usedBytes = Number.POSITIVE_INFINITY;
      throw new RangeError('The streams of the document are too large');
    }
    const grown = ensureBuffer.call(this, requestedBytes);
    usedBytes += grown.byteLength - byteLength;
    return grown;
  };
  try {
    const parsed = await parse();
    return usedBytes === Number.POSITIVE_INFINITY ? undefined : parsed;
  } catch (error) {
    if (usedBytes === Number.POSITIVE_INFINITY) return undefined;
    throw error;
  } finally {
    stream.ensureBuffer = ensureBuffer;
  }
}

/** The parser does not export this prototype. */
function findStreamPrototype(): GrowingStream {
  const dictionary = PDFContext.create().obj({ Filter: 'RunLengthDecode' });
  const stream = decodePDFRawStream(PDFRawStream.of(dictionary, new Uint8Array()));
  const prototype: object = Object.getPrototypeOf(Object.getPrototypeOf(stream));
  if (!isGrowing(prototype))
    throw new Error('This version of pdf-lib is not supported: its decoding streams have no `ensureBuffer`');
  return prototype;
}

function isGrowing(prototype: object): prototype is GrowingStream {
  return Object.hasOwn(prototype, 'ensureBuffer');
}
