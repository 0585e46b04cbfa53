const PLACE = 'colophon.offered-key';

/**
 * Returns the key of an address with `#key=...`, and moves it from the address to this tab's storage. For other
 * addresses, returns the key that waits in this storage. The link that the service prints at its first start redirects
 * to such an address.
 */
export function takeKeyOfLink(): string | undefined {
  const { hash, pathname, search } = window.location;
  const key = new URLSearchParams(hash.slice(1)).get('key');
  if (key === null) return window.sessionStorage.getItem(PLACE) ?? undefined;
  window.history.replaceState(null, '', `${pathname}${search}`);
  if (key === '') return undefined;
  window.sessionStorage.setItem(PLACE, key);
  return key;
}

/** Removes the key from this tab's storage, after the page has used or dropped it. */
export function dropKeyOfLink(): void {
  window.sessionStorage.removeItem(PLACE);
}
