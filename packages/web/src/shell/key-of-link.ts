const PLACE = 'colophon.offered-key';
const UNASKED_PLACE = 'colophon.unasked-key';

/** Moves the key of an address with `#key=...` to this tab's storage. Otherwise returns the stored key. */
export function takeKeyOfLink(): string | undefined {
  const { hash, pathname, search } = window.location;
  const key = new URLSearchParams(hash.slice(1)).get('key');
  if (key === null) return window.sessionStorage.getItem(PLACE) ?? undefined;
  window.history.replaceState(null, '', `${pathname}${search}`);
  if (key === '') return undefined;
  window.sessionStorage.setItem(PLACE, key);
  return key;
}

/** The page has used or dropped the key. */
export function dropKeyOfLink(): void {
  window.sessionStorage.removeItem(PLACE);
}

/** Stores a key that the tab uses without asking, because nobody was signed in. */
export function keepUnaskedKey(key: string): void {
  window.sessionStorage.setItem(UNASKED_PLACE, key);
}

export function isUnaskedKey(key: string | undefined): boolean {
  return key !== undefined && window.sessionStorage.getItem(UNASKED_PLACE) === key;
}

export function dropUnaskedKey(): void {
  window.sessionStorage.removeItem(UNASKED_PLACE);
}

/** The page then asks the user about the key. */
export function offerUnaskedKey(key: string): void {
  dropUnaskedKey();
  window.sessionStorage.setItem(PLACE, key);
}
