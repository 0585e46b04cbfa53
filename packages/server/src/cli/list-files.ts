import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { STDIN } from './open-file.js';

/** Skips hidden files and symbolic links. Names that cannot be read stay in the list, and fail when they are opened. */
export async function listFiles(names: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const name of names) {
    const isDirectory = await stat(name).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (isDirectory) await addFiles(files, name);
    else files.push(name);
  }
  return files;
}

async function addFiles(files: string[], directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) {
    files.push(directory);
    return;
  }
  const visible = entries.filter(({ name }) => !name.startsWith('.'));
  visible.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of visible) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) await addFiles(files, file);
    else if (entry.isFile()) files.push(file === STDIN ? `.${path.sep}${file}` : file);
  }
}
