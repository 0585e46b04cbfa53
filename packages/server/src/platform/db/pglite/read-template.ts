import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

const BLOCK_BYTES = 512;
const CHUNK_BYTES = 2 ** 20;

/** A file or a directory of the template. Its name begins with a slash. */
interface TemplateEntry {
  name: string;
  isDirectory: boolean;
  content: Uint8Array;
}

/** Reads a tar archive in gzip: POSIX.1-2017, pax, "ustar Interchange Format"; RFC 1952. */
export async function* readEntries(archive: string): AsyncGenerator<TemplateEntry> {
  const take = createTaker(createReadStream(archive).pipe(createGunzip({ chunkSize: CHUNK_BYTES })));
  for (;;) {
    const header = Buffer.from(await take(BLOCK_BYTES));
    const name = textOf(header, 0, 100);
    if (name === '') return;
    const sizeBytes = Number.parseInt(textOf(header, 124, 136), 8) || 0;
    const content = await take(sizeBytes);
    await take((BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES);
    yield { name, isDirectory: textOf(header, 156, 157) === '5', content };
  }
}

/** Returns a function that reads the next bytes into a new buffer. Bytes beyond the end of the stream are zero. */
function createTaker(stream: AsyncIterable<Buffer>): (sizeBytes: number) => Promise<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  return async (sizeBytes) => {
    const bytes = new Uint8Array(sizeBytes);
    for (let done = 0; done < sizeBytes; ) {
      if (rest.length === 0) {
        const next = await chunks.next();
        if (next.done === true) break;
        rest = next.value;
      }
      const part = rest.subarray(0, sizeBytes - done);
      bytes.set(part, done);
      done += part.length;
      rest = rest.subarray(part.length);
    }
    return bytes;
  };
}

/** Reads a text field of a header. It ends at its first NUL byte, or at `to`. */
function textOf(header: Buffer, from: number, to: number): string {
  return header.toString('utf8', from, to).split('\0', 1)[0] ?? '';
}
