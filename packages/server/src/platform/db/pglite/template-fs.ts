import path from 'node:path';
import { EmscriptenBuiltinFilesystem } from '@electric-sql/pglite/basefs';
import { readEntries } from './read-template.js';

const DATABASE = '/pglite/data';

/** Reads each file directly into its final memory. PGlite itself would keep three copies of the archive. */
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
