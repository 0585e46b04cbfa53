import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';

/** Path of the page on the service. */
const BASE = '/app';

/** `navigate` dispatches this event, because the browser has events only for back and forward. */
const MOVED = 'colophon:moved';

/** Returns the path below `/app`, without its query, such as `/` or `/shares/bafy...`. */
export function usePath(): string {
  return useSyncExternalStore(listen, readPath);
}

function readPath(): string {
  const { pathname } = window.location;
  return pathname.startsWith(BASE) ? pathname.slice(BASE.length) || '/' : '/';
}

/** Returns the query of the address, such as `?type=image`, or an empty text. */
export function useQuery(): string {
  return useSyncExternalStore(listen, () => window.location.search);
}

/**
 * Changes the query of the address. The path and the position on the page stay. `isNewEntry`: Back returns to the
 * previous query.
 */
export function changeQuery(query: string, { isNewEntry }: { isNewEntry: boolean }): void {
  setAddress(`${window.location.pathname}${query}`, isNewEntry);
  window.dispatchEvent(new Event(MOVED));
}

function setAddress(address: string, isNewEntry: boolean): void {
  if (isNewEntry) window.history.pushState(null, '', address);
  else window.history.replaceState(null, '', address);
}

function listen(changed: () => void): () => void {
  window.addEventListener('popstate', changed);
  window.addEventListener(MOVED, changed);
  return () => {
    window.removeEventListener('popstate', changed);
    window.removeEventListener(MOVED, changed);
  };
}

/** Goes to a path below `/app` without a reload of the page. `isNewEntry`: Back returns to the present path. */
export function navigate(path: string, { isNewEntry = true }: { isNewEntry?: boolean } = {}): void {
  setAddress(`${BASE}${path}`, isNewEntry);
  window.scrollTo(0, 0);
  window.dispatchEvent(new Event(MOVED));
}

/** Returns a value of the query of the address, such as `usage` of `?tab=usage`. */
export function useQueryValue(name: string): string | undefined {
  return useSyncExternalStore(listen, () => queryValue(name));
}

export function queryValue(name: string): string | undefined {
  return new URLSearchParams(window.location.search).get(name) ?? undefined;
}

/**
 * Changes a value of the query. Undefined removes it. The view stays, with its scroll position. `isNewEntry`: Back
 * returns to the previous value.
 */
export function setQueryValue(
  name: string,
  value: string | undefined,
  { isNewEntry = true }: { isNewEntry?: boolean } = {},
): void {
  const { searchParams } = new URL(window.location.href);
  if (value === undefined) searchParams.delete(name);
  else searchParams.set(name, value);
  const query = searchParams.toString();
  changeQuery(query === '' ? '' : `?${query}`, { isNewEntry });
}

/** A link to a path below `/app`. The user can still open it in another tab or window. */
export function Link({
  to,
  onClick,
  ...rest
}: { to: string } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>) {
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!isPlain || event.defaultPrevented) return;
    event.preventDefault();
    navigate(to);
  };
  return <a {...rest} href={`${BASE}${to}`} onClick={go} />;
}
