import { keepProject } from './kept-project.js';

const PLACE = 'colophon.key';

/** The tab stores the key until it closes, and sends it only to this service. */
export function readKey(): string | undefined {
  return window.sessionStorage.getItem(PLACE) ?? undefined;
}

/** The tab then uses the key in place of a chosen project. Undefined removes it. */
export function keepKey(key: string | undefined): void {
  if (key === undefined) window.sessionStorage.removeItem(PLACE);
  else {
    window.sessionStorage.setItem(PLACE, key);
    keepProject(undefined);
  }
}
