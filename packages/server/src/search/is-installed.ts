import { createRequire } from 'node:module';

/** Whether a file, by default one of this directory, can import an optional package. */
export function isInstalled(name: string, from: string | URL = import.meta.url): boolean {
  try {
    createRequire(from).resolve(name);
    return true;
  } catch {
    return false;
  }
}
