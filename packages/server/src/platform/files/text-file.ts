import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';

export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Resolves when the text is on the disk. A crash leaves the old or the new text. Permits no parallel calls. */
export async function replaceFile(file: string, text: string): Promise<void> {
  await synced(open(`${file}.new`, 'w', 0o600), (handle) => handle.writeFile(text));
  await rename(`${file}.new`, file);
  await synced(open(path.dirname(file), 'r'), async () => undefined);
}

async function synced(
  opening: Promise<FileHandle>,
  change: (handle: FileHandle) => Promise<unknown>,
): Promise<void> {
  const handle = await opening;
  try {
    await change(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
