import { keepKey } from './kept-key.js';

/**
 * Stores the key of an address with `#key=...`, and removes it from the address. The link that the service prints at
 * its first start redirects to such an address.
 */
export function takeKeyOfLink(): void {
  const key = new URLSearchParams(window.location.hash.slice(1)).get('key');
  if (key === null) return;
  keepKey(key);
  window.history.replaceState(null, '', window.location.pathname);
}
