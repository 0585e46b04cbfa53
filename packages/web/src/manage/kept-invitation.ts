const PLACE = 'colophon.invitation';
const FORM = /^#[\w-]{43}$/;

/** The invitation of the link that was opened; taken out of the address, and kept in this tab for the way back from a provider. */
export function takeInvitation(): string | undefined {
  const { hash, pathname } = window.location;
  if (!FORM.test(hash)) return window.sessionStorage.getItem(PLACE) ?? undefined;
  window.sessionStorage.setItem(PLACE, hash.slice(1));
  window.history.replaceState(null, '', pathname);
  return hash.slice(1);
}

/** Forgets it: it is used. */
export function forgetInvitation(): void {
  window.sessionStorage.removeItem(PLACE);
}
