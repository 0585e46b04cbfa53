import { keepKey } from './kept-key.js';

/** Takes the key from the link that the service prints at its first start (`#key=...`). Removes it from the address. */
export function takeKeyOfLink(): void {
  const key = new URLSearchParams(window.location.hash.slice(1)).get('key');
  if (key === null) return;
  keepKey(key);
  window.history.replaceState(null, '', window.location.pathname);
}
