const PLACE = 'colophon.invitation';
const FORM = /^#[\w-]{43}$/;

/** Moves the invitation from the address to the storage of this tab, where it survives a sign-in at a provider. */
export function takeInvitation(): string | undefined {
  const { hash, pathname, search } = window.location;
  if (!FORM.test(hash)) return window.sessionStorage.getItem(PLACE) ?? undefined;
  window.sessionStorage.setItem(PLACE, hash.slice(1));
  window.history.replaceState(null, '', `${pathname}${search}`);
  return hash.slice(1);
}

export function forgetInvitation(): void {
  window.sessionStorage.removeItem(PLACE);
}
