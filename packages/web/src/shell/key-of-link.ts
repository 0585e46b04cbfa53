import { keepKey } from './kept-key.js';

/** Reads the key from the first-minute link (`#key=...`), and removes it from the address. */
export function takeKeyOfLink(): void {
  const key = new URLSearchParams(window.location.hash.slice(1)).get('key');
  if (key === null) return;
  keepKey(key);
  window.history.replaceState(null, '', window.location.pathname);
}
