import { keepProject } from './kept-project.js';

const PLACE = 'colophon.key';

/** Returns the project key. The tab stores the key until the user closes the tab, and sends it only to this service. */
export function readKey(): string | undefined {
  return window.sessionStorage.getItem(PLACE) ?? undefined;
}

/** Stores a key, which this tab then uses in place of a chosen project. Undefined removes the stored key. */
export function keepKey(key: string | undefined): void {
  if (key === undefined) window.sessionStorage.removeItem(PLACE);
  else {
    window.sessionStorage.setItem(PLACE, key);
    keepProject(undefined);
  }
}
