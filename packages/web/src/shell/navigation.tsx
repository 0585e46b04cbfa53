import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';

/** The page lives below this path of the service. */
const BASE = '/app';

/** Told by `navigate`, since the browser tells of going back and forth alone. */
const MOVED = 'colophon:moved';

/** The address below `/app`, without its query: `/` or such as `/shares/bafy...`. */
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

/** Goes to a path below `/app` without loading the page anew. */
export function navigate(path: string): void {
  window.history.pushState(null, '', `${BASE}${path}`);
  window.scrollTo(0, 0);
  window.dispatchEvent(new Event(MOVED));
}

/** A link to a path below `/app`; the browser's own ways to open it elsewhere work. */
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
