import type { PageSession } from '@colophon/model';
import { createPageClient, type PageClient } from '@colophon/sdk';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { ABSENT_AS_NO_CONTENT } from './absent-content.js';
import { listenToRejections } from './rejection.js';
import { type Loaded, useLoaded } from './use-loaded.js';

export type OwnSession = Extract<PageSession, { signedIn: true }>;

export interface SessionState {
  page: PageClient;
  /** `reload` reads the session again after a sign-in or a sign-out. */
  loaded: Loaded<PageSession>;
  /** Set after the session ended by itself. The page then asks for a new sign-in. */
  ended: PageSession | undefined;
  /** Number of sign-ins after the session ended by itself. */
  renewals: number;
  /** After a sign-in (`isSignedIn`), the page reads its data again. */
  goOn: (isSignedIn: boolean) => void;
}

const SessionContext = createContext<SessionState | undefined>(undefined);

export function SessionProvider({ children }: { children: ReactNode }) {
  const [page] = useState(() =>
    createPageClient({ url: window.location.origin, headers: ABSENT_AS_NO_CONTENT }),
  );
  const loaded = useLoaded(useCallback(() => page.session(), [page]));
  const [ended, setEnded] = useState<PageSession>();
  const [renewals, setRenewals] = useState(0);
  const wasSignedIn = loaded.value?.signedIn === true;
  useEffect(() => {
    if (!wasSignedIn) return undefined;
    let isCurrent = true;
    const stop = listenToRejections(() => {
      page.session().then(
        (now) => isCurrent && setEnded(now.signedIn ? undefined : now),
        () => {}, // the view that reported the rejection shows its own error
      );
    });
    return () => {
      stop();
      // After a sign-out, earlier rejected requests are no reason for a dialog.
      isCurrent = false;
      setEnded(undefined);
    };
  }, [page, wasSignedIn]);
  const { reload } = loaded;
  const goOn = useCallback(
    (isSignedIn: boolean) => {
      setEnded(undefined);
      // The next rejected request opens the dialog again.
      if (!isSignedIn) return;
      setRenewals((before) => before + 1);
      reload();
    },
    [reload],
  );
  const state = useMemo(
    () => ({ page, loaded, ended, renewals, goOn }),
    [page, loaded, ended, renewals, goOn],
  );
  return <SessionContext value={state}>{children}</SessionContext>;
}

export function useSession(): SessionState {
  const state = useContext(SessionContext);
  if (state === undefined) throw new Error('`useSession` needs a `SessionProvider` around the component.');
  return state;
}
