const PLACE = 'colophon.key';

/** The project's key, which this tab keeps until it is closed and which goes to the service alone. */
export function readKey(): string | undefined {
  return window.sessionStorage.getItem(PLACE) ?? undefined;
}

export function keepKey(key: string | undefined): void {
  if (key === undefined) window.sessionStorage.removeItem(PLACE);
  else window.sessionStorage.setItem(PLACE, key);
}
