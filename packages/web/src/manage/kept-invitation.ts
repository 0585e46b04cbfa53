const PLACE = 'colophon.invitation';
const FORM = /^#[\w-]{43}$/;

/** The invitation of the opened link. It moves from the address to this tab, to survive a sign-in by a provider. */
export function takeInvitation(): string | undefined {
  const { hash, pathname } = window.location;
  if (!FORM.test(hash)) return window.sessionStorage.getItem(PLACE) ?? undefined;
  window.sessionStorage.setItem(PLACE, hash.slice(1));
  window.history.replaceState(null, '', pathname);
  return hash.slice(1);
}

/** Forgets the used invitation. */
export function forgetInvitation(): void {
  window.sessionStorage.removeItem(PLACE);
}
