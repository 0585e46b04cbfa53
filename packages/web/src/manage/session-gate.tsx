import type { PageSession } from '@colophon/model';
import { createPageClient, type PageClient } from '@colophon/sdk';
import { type ReactNode, useCallback, useMemo } from 'react';
import { Show } from './parts.js';
import { SignIn } from './sign-in.js';
import { useLoaded } from './use-loaded.js';

export type OwnSession = Extract<PageSession, { signedIn: true }>;

export interface Managing {
  page: PageClient;
  session: OwnSession;
  /** Reads the session again after a sign-in or a sign-out. */
  renew: () => void;
}

export function useSession() {
  const page = useMemo(() => createPageClient({ url: window.location.origin }), []);
  const load = useCallback(() => page.session(), [page]);
  return { page, loaded: useLoaded(load) };
}

/** Shows the content to signed-in users, and the sign-in form to other users. */
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
