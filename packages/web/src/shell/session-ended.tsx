import type { PageSession } from '@colophon/model';
import type { PageClient } from '@colophon/sdk';
import { type ComponentType, Suspense, useEffect } from 'react';
import { shell } from '../strings/shell.js';
import { Dialog } from '../ui/dialog.js';
import { useSession } from './session.js';
import { StopFault } from './stop-fault.js';

export type RenewSession = ComponentType<{
  page: PageClient;
  ways: PageSession['ways'];
  /** The sign-in with a provider opens in a new tab, so that this view stays. */
  isAside?: boolean;
  onDone: () => void;
}>;

/** The view behind the dialog stays, with the input of the user. */
export function SessionEnded({ Renew }: { Renew: RenewSession }) {
  const { page, ended, goOn } = useSession();
  // The user can also sign in with another tab.
  useEffect(() => {
    if (ended === undefined) return undefined;
    const look = () =>
      void page.session().then(
        ({ signedIn }) => signedIn && goOn(true),
        () => {}, // the dialog stays
      );
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [ended, page, goOn]);
  return (
    <Dialog title={shell.ended.title} isOpen={ended !== undefined} onClose={() => ended && goOn(false)}>
      <p>{shell.ended.why}</p>
      <StopFault>
        <Suspense fallback={<p className="quiet">{shell.loading}</p>}>
          {ended === undefined ? null : (
            <Renew page={page} ways={ended.ways} isAside onDone={() => goOn(true)} />
          )}
        </Suspense>
      </StopFault>
    </Dialog>
  );
}
