import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** The recursive `mkdir` of Node loops for ever where the file system forbids new directories, such as in /proc. */
export async function makeDirectory(directory: string): Promise<void> {
  const missing = await tryMake(directory);
  if (missing === undefined) return;
  const parent = path.dirname(directory);
  if (parent !== directory) await makeDirectory(parent);
  const reason = await tryMake(directory);
  if (reason === undefined) return;
  throw new Error(
    `The directory ${directory} cannot be created: ${reason.message}. Name a writable directory.`,
  );
}

/** Returns undefined when the directory exists after the call. */
async function tryMake(directory: string): Promise<Error | undefined> {
  try {
    await mkdir(directory, { mode: 0o700 });
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return (await isDirectory(directory)) ? undefined : error;
  }
}

async function isDirectory(place: string): Promise<boolean> {
  return stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
