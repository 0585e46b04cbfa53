import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates a private directory and its missing parents. It does not use the recursive `mkdir` of Node, which loops
 * for ever where the file system forbids new directories, for example in /proc.
 */
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

/** Tries to create a directory. Returns the error of a failure; undefined when the directory then exists. */
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
