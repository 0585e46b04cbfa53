import type { PageSession } from '@colophon/model';
import type { PageClient } from '@colophon/sdk';
import { type ComponentType, Suspense } from 'react';
import { shell } from '../strings/shell.js';
import { Dialog } from '../ui/dialog.js';
import { useSession } from './session.js';

/** The sign-in form, which the stories provide. */
export type RenewSession = ComponentType<{
  page: PageClient;
  ways: PageSession['ways'];
  onDone: () => void;
}>;

/** Asks for a new sign-in after the session ended. The view behind the dialog stays, with the input of the user. */
export function SessionEnded({ Renew }: { Renew: RenewSession }) {
  const { page, ended, goOn } = useSession();
  return (
    <Dialog title={shell.ended.title} isOpen={ended !== undefined} onClose={() => ended && goOn(false)}>
      <p>{shell.ended.why}</p>
      <Suspense fallback={<p className="quiet">{shell.loading}</p>}>
        {ended === undefined ? null : <Renew page={page} ways={ended.ways} onDone={() => goOn(true)} />}
      </Suspense>
    </Dialog>
  );
}
