import type { PageSession } from '@colophon/model';
import { createPageClient, type PageClient } from '@colophon/sdk';
import { type ReactNode, useCallback, useMemo } from 'react';
import { Show } from './parts.js';
import { SignIn } from './sign-in.js';
import { useLoaded } from './use-loaded.js';

/** A session of somebody who is signed in. */
export type OwnSession = Extract<PageSession, { signedIn: true }>;

/** What the parts of managing work with. */
export interface Managing {
  page: PageClient;
  session: OwnSession;
  /** Reads the session again: somebody signed in or out. */
  renew: () => void;
}

/** The client of the page, and the session that its browser has. */
export function useSession() {
  const page = useMemo(() => createPageClient({ url: window.location.origin }), []);
  const load = useCallback(() => page.session(), [page]);
  return { page, loaded: useLoaded(load) };
}

/** Shows what only somebody who is signed in sees, and asks others to sign in. */
export function SessionGate({ children }: { children: (managing: Managing) => ReactNode }) {
  const { page, loaded } = useSession();
  return (
    <Show loaded={loaded}>
      {(session) =>
        session.signedIn ? (
          children({ page, session, renew: loaded.reload })
        ) : (
          <SignIn page={page} ways={session.ways} onDone={loaded.reload} />
        )
      }
    </Show>
  );
}
