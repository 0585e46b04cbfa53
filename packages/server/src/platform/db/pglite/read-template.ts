import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

const BLOCK_BYTES = 512;
const CHUNK_BYTES = 2 ** 20;

/** The name begins with a slash. */
interface TemplateEntry {
  name: string;
  isDirectory: boolean;
  content: Uint8Array;
}

/** Reads a tar archive in gzip: POSIX.1-2017, pax, "ustar Interchange Format"; RFC 1952. */
export async function* readEntries(archive: string): AsyncGenerator<TemplateEntry> {
  const stream = createGunzip({ chunkSize: CHUNK_BYTES });
  pipeline(createReadStream(archive), stream, () => {});
  const take = createTaker(stream);
  for (;;) {
    const header = Buffer.from(await take(BLOCK_BYTES));
    const name = textOf(header, 0, 100);
    if (name === '') return;
    const type = textOf(header, 156, 157);
    if (!['', '0', '5'].includes(type) || textOf(header, 345, 500) !== '')
      throw new Error(`${archive} has an unsupported entry: ${name}. Build the service again.`);
    const sizeBytes = Number.parseInt(textOf(header, 124, 136), 8) || 0;
    const content = await take(sizeBytes);
    await take((BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES);
    yield { name, isDirectory: type === '5', content };
  }
}

function createTaker(stream: AsyncIterable<Buffer>): (sizeBytes: number) => Promise<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  return async (sizeBytes) => {
    const bytes = new Uint8Array(sizeBytes);
    for (let done = 0; done < sizeBytes; ) {
      if (rest.length === 0) {
        const next = await chunks.next();
        if (next.done === true) throw new Error('The template of the embedded database is incomplete');
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

/** A text field ends at its first NUL byte, or at `to`. */
function textOf(header: Buffer, from: number, to: number): string {
  return header.toString('utf8', from, to).split('\0', 1)[0] ?? '';
}
