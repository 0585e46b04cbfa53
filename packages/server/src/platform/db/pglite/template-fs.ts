import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { EmscriptenBuiltinFilesystem } from '@electric-sql/pglite/basefs';

const DATABASE = '/pglite/data';
const BLOCK_BYTES = 512;
const CHUNK_BYTES = 2 ** 20;

/**
 * A file system in memory that begins with the files of a template. It reads each file directly into its final
 * memory. PGlite itself would keep three copies of the archive in memory.
 */
export class TemplateFS extends EmscriptenBuiltinFilesystem {
  readonly #archive: string;

  constructor(archive: string) {
    super();
    this.#archive = archive;
  }

  override async initialSyncFs(): Promise<void> {
    if (this.pg === undefined) throw new Error('initialSyncFs was called before the engine was attached');
    const { FS } = this.pg.Module;
    for await (const { name, isDirectory, content } of readEntries(this.#archive)) {
      const place = DATABASE + name;
      FS.mkdirTree(isDirectory ? place : path.posix.dirname(place));
      if (!isDirectory) FS.writeFile(place, content, { canOwn: true });
    }
    FS.chmod(DATABASE, 0o700);
  }

  override async closeFs(): Promise<void> {
    this.pg?.Module.FS.quit();
  }
}

/** Reads a tar archive in gzip: POSIX.1-2017, pax, "ustar Interchange Format"; RFC 1952. */
async function* readEntries(
  archive: string,
): AsyncGenerator<{ name: string; isDirectory: boolean; content: Uint8Array }> {
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
