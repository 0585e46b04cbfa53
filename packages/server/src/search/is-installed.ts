import { createRequire } from 'node:module';

export function isInstalled(name: string, from: string | URL = import.meta.url): boolean {
  try {
    createRequire(from).resolve(name);
    return true;
  } catch {
    return false;
  }
}
