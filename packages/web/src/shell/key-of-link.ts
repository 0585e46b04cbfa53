/**
 * Returns the key of an address with `#key=...`, and removes it from the address; undefined for other addresses. The
 * link that the service prints at its first start redirects to such an address.
 */
export function takeKeyOfLink(): string | undefined {
  const { hash, pathname, search } = window.location;
  const key = new URLSearchParams(hash.slice(1)).get('key');
  if (key === null) return undefined;
  window.history.replaceState(null, '', `${pathname}${search}`);
  return key === '' ? undefined : key;
}
