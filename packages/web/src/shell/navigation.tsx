import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';

const BASE = '/app';

/** The browser has events only for back and forward. */
const MOVED = 'colophon:moved';

/** Below `/app`, without query. */
export function usePath(): string {
  return useSyncExternalStore(listen, readPath);
}

function readPath(): string {
  const { pathname } = window.location;
  return pathname.startsWith(BASE) ? pathname.slice(BASE.length) || '/' : '/';
}

/** Returns, for example, `?type=image`. The result can be empty. */
export function useQuery(): string {
  return useSyncExternalStore(listen, () => window.location.search);
}

/** Path and scroll position stay. `isNewEntry`: Back returns to the previous query. */
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

/** `path`: below `/app`. `isNewEntry`: Back returns to the present path. */
export function navigate(path: string, { isNewEntry = true }: { isNewEntry?: boolean } = {}): void {
  setAddress(`${BASE}${path}`, isNewEntry);
  window.scrollTo(0, 0);
  window.dispatchEvent(new Event(MOVED));
}

/** Returns, for example, `usage` of `?tab=usage`. */
export function useQueryValue(name: string): string | undefined {
  return useSyncExternalStore(listen, () => queryValue(name));
}

export function queryValue(name: string): string | undefined {
  return new URLSearchParams(window.location.search).get(name) ?? undefined;
}

/** Undefined removes the value. The scroll position stays. `isNewEntry`: Back returns to the previous value. */
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

/** `to`: below `/app`. The user can also open the link in another tab or window. */
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
