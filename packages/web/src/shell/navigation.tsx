import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';

/** The page is served below this path. */
const BASE = '/app';

/** `navigate` dispatches this event, since the browser reports only back and forward. */
const MOVED = 'colophon:moved';

/** The address below `/app`, without its query: `/` or, for example, `/shares/bafy...`. */
export function usePath(): string {
  return useSyncExternalStore(listen, readPath);
}

function readPath(): string {
  const { pathname } = window.location;
  return pathname.startsWith(BASE) ? pathname.slice(BASE.length) || '/' : '/';
}

function listen(changed: () => void): () => void {
  window.addEventListener('popstate', changed);
  window.addEventListener(MOVED, changed);
  return () => {
    window.removeEventListener('popstate', changed);
    window.removeEventListener(MOVED, changed);
  };
}

/** Goes to a path below `/app` without a reload of the page. */
export function navigate(path: string): void {
  window.history.pushState(null, '', `${BASE}${path}`);
  window.scrollTo(0, 0);
  window.dispatchEvent(new Event(MOVED));
}

/** A link to a path below `/app`. The browser can still open it in another tab or window. */
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
