import { useState } from 'react';
import { shell } from '../strings/shell.js';
import { Dialog } from '../ui/dialog.js';
import { LazySwitcher } from './lazy-switcher.js';
import { useSession } from './session.js';

/** `next`: the address after a sign-in; by default, the present one. */
export function OpenProject({ next, onDone }: { next?: string; onDone?: () => void }) {
  const session = useSession().loaded.value;
  const [isOpen, setIsOpen] = useState(false);
  const texts = shell.projects;
  const words = session?.signedIn
    ? texts.choose
    : hasAccounts(session?.ways)
      ? texts.signInOrKey
      : shell.key.enter;
  const done = () => {
    setIsOpen(false);
    onDone?.();
  };
  return (
    <>
      <button type="button" className="inline words" onClick={() => setIsOpen(true)}>
        {words}
      </button>
      <Dialog title={texts.title} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <LazySwitcher onDone={done} {...(next === undefined ? {} : { next })} />
      </Dialog>
    </>
  );
}

export function hasAccounts(ways: { password: boolean; openId: string | null } | undefined): boolean {
  return ways !== undefined && (ways.password || ways.openId !== null);
}
