const PLACE = 'colophon.key';

/** The project key. This tab stores it until it is closed, and sends it to this service alone. */
export function readKey(): string | undefined {
  return window.sessionStorage.getItem(PLACE) ?? undefined;
}

export function keepKey(key: string | undefined): void {
  if (key === undefined) window.sessionStorage.removeItem(PLACE);
  else window.sessionStorage.setItem(PLACE, key);
}
