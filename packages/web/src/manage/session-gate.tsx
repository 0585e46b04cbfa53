import type { PageSession } from '@colophon/model';
import { createPageClient, type PageClient } from '@colophon/sdk';
import { type ReactNode, useCallback, useMemo } from 'react';
import { Show } from './parts.js';
import { SignIn } from './sign-in.js';
import { useLoaded } from './use-loaded.js';

/** The session of a signed-in user. */
export type OwnSession = Extract<PageSession, { signedIn: true }>;

/** The dependencies of the parts of "Manage". */
export interface Managing {
  page: PageClient;
  session: OwnSession;
  /** Reads the session again after a sign-in or a sign-out. */
  renew: () => void;
}

/** The client of the page, and the session of this browser. */
export function useSession() {
  const page = useMemo(() => createPageClient({ url: window.location.origin }), []);
  const load = useCallback(() => page.session(), [page]);
  return { page, loaded: useLoaded(load) };
}

/** Shows its content to signed-in users, and the sign-in form to others. */
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
