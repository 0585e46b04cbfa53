import { createRequire } from 'node:module';

/** Whether the file `from` can import an optional package. `from` is by default this file. */
export function isInstalled(name: string, from: string | URL = import.meta.url): boolean {
  try {
    createRequire(from).resolve(name);
    return true;
  } catch {
    return false;
  }
}
