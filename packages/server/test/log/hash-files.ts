import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** SHA-256 over the relative paths and the SHA-256 digests of all files, in hexadecimal. */
export function hashFiles(directory: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) {
    const name = path.relative(directory, file).split(path.sep).join('/');
    hash.update(`${name} ${createHash('sha256').update(readFileSync(file)).digest('hex')}\n`);
  }
  return hash.digest('hex');
}
