const PLACE = 'colophon.offered-key';
const UNASKED_PLACE = 'colophon.unasked-key';

/**
 * Returns the key of an address with `#key=...`, and moves the key from the address to this tab's storage. For any
 * other address, returns the stored key, if there is one. The link that the service prints at its first start redirects
 * to an address with a key.
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

/** Stores the key of a link that the tab uses without asking. The tab does not ask, because nobody was signed in. */
export function keepUnaskedKey(key: string): void {
  window.sessionStorage.setItem(UNASKED_PLACE, key);
}

export function isUnaskedKey(key: string | undefined): boolean {
  return key !== undefined && window.sessionStorage.getItem(UNASKED_PLACE) === key;
}

/** Removes the key that `keepUnaskedKey` stored, after the user entered a key or answered the question. */
export function dropUnaskedKey(): void {
  window.sessionStorage.removeItem(UNASKED_PLACE);
}

/** Stores the key again as the key of a link, so that the page asks the user about it. */
export function offerUnaskedKey(key: string): void {
  dropUnaskedKey();
  window.sessionStorage.setItem(PLACE, key);
}
