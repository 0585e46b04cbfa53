import type { PageClient } from '@colophon/sdk';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { navigate, queryValue } from '../shell/navigation.js';
import { type OwnSession, useSession } from '../shell/session.js';
import { Show } from './parts.js';
import { SignIn } from './sign-in.js';

export interface Managing {
  page: PageClient;
  session: OwnSession;
  /** Reads the session again after a sign-in or a sign-out. */
  renew: () => void;
}

export function SessionGate({ children }: { children: (managing: Managing) => ReactNode }) {
  const { page, loaded } = useSession();
  const [next] = useState(() => queryValue('next'));
  const isSignedIn = loaded.value?.signedIn === true;
  useEffect(() => {
    if (isSignedIn && next?.startsWith('/')) navigate(next, { isNewEntry: false });
  }, [isSignedIn, next]);
  return (
    <Show loaded={loaded}>
      {(session) =>
        session.signedIn ? (
          // Another user must not see the data of the previous user.
          <Fragment key={session.user.id}>{children({ page, session, renew: loaded.reload })}</Fragment>
        ) : (
          <SignIn page={page} ways={session.ways} next={next} onDone={loaded.reload} />
        )
      }
    </Show>
  );
}
