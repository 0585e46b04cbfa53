import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { EmscriptenBuiltinFilesystem } from '@electric-sql/pglite/basefs';

/** Where PGlite has its database. */
const DATABASE = '/pglite/data';
const BLOCK_BYTES = 512;

/**
 * A file system in memory that begins as a template. PGlite's own way holds the archive three times while it unpacks
 * it, and the thread keeps that memory; here each file is read into the memory where it stays.
 */
export class TemplateFS extends EmscriptenBuiltinFilesystem {
  readonly #archive: string;

  constructor(archive: string) {
    super();
    this.#archive = archive;
  }

  override async initialSyncFs(): Promise<void> {
    if (this.pg === undefined) throw new Error('The file system is filled before the engine has it');
    const { FS } = this.pg.Module;
    const handle = openSync(this.#archive, 'r');
    try {
      for (const { name, isDirectory, content } of readEntries(handle)) {
        const place = DATABASE + name;
        FS.mkdirTree(isDirectory ? place : path.posix.dirname(place));
        if (!isDirectory) FS.writeFile(place, content, { canOwn: true });
      }
      FS.chmod(DATABASE, 0o700);
    } finally {
      closeSync(handle);
    }
  }

  override async closeFs(): Promise<void> {
    this.pg?.Module.FS.quit();
  }
}

/** The entries of a tar archive: POSIX.1-2017, pax, "ustar Interchange Format". */
function* readEntries(
  handle: number,
): Generator<{ name: string; isDirectory: boolean; content: Uint8Array }> {
  for (let at = 0; ; ) {
    const header = Buffer.from(read(handle, at, BLOCK_BYTES));
    const name = textOf(header, 0, 100);
    if (name === '') return;
    const sizeBytes = Number.parseInt(textOf(header, 124, 136), 8) || 0;
    const isDirectory = textOf(header, 156, 157) === '5';
    yield { name, isDirectory, content: read(handle, at + BLOCK_BYTES, sizeBytes) };
    at += BLOCK_BYTES * (1 + Math.ceil(sizeBytes / BLOCK_BYTES));
  }
}

/** Bytes with a buffer of their own; zeros beyond the end. */
function read(handle: number, position: number, sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  for (let done = 0; done < sizeBytes; ) {
    const count = readSync(handle, bytes, done, sizeBytes - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return bytes;
}

/** A field ends at its first NUL. */
function textOf(header: Buffer, from: number, to: number): string {
  return header.toString('utf8', from, to).split('\0', 1)[0] ?? '';
}
