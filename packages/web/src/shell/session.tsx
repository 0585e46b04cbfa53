import type { PageSession } from '@colophon/model';
import { createPageClient, type PageClient } from '@colophon/sdk';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { type Loaded, useLoaded } from './use-loaded.js';

export type OwnSession = Extract<PageSession, { signedIn: true }>;

export interface SessionState {
  /** The client of the signed-in user. It also signs a user in and out. */
  page: PageClient;
  /** The session of this browser; `reload` reads it again after a sign-in or a sign-out. */
  loaded: Loaded<PageSession>;
}

const SessionContext = createContext<SessionState | undefined>(undefined);

/** Reads the session of this browser once for the whole page. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [page] = useState(() => createPageClient({ url: window.location.origin }));
  const loaded = useLoaded(useCallback(() => page.session(), [page]));
  const state = useMemo(() => ({ page, loaded }), [page, loaded]);
  return <SessionContext value={state}>{children}</SessionContext>;
}

export function useSession(): SessionState {
  const state = useContext(SessionContext);
  if (state === undefined) throw new Error('`useSession` needs a `SessionProvider` around the component.');
  return state;
}
