import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { ui } from '../strings/ui.js';
import { Button } from './button.js';

/** Escape closes the dialog. The focus then returns to the previous element. */
export function Dialog({
  title,
  isOpen,
  confirm,
  onClose,
  children,
}: {
  title: string;
  isOpen: boolean;
  /** The text of the closing button, for a dialog that the user closes when a task is done. */
  confirm?: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) place.current?.showModal();
    else place.current?.close();
  }, [isOpen]);
  // React also passes on the event of a dialog inside this dialog, which must stay open.
  const closed = ({ target, currentTarget }: SyntheticEvent) => {
    if (target === currentTarget) onClose();
  };
  return (
    <dialog ref={place} aria-labelledby={id} onClose={closed}>
      {isOpen ? (
        <div className="stack">
          <h2 id={id}>{title}</h2>
          {children}
          <div className="row end">
            <Button kind={confirm === undefined ? 'plain' : 'primary'} onClick={onClose}>
              {confirm ?? ui.close}
            </Button>
          </div>
        </div>
      ) : null}
    </dialog>
  );
}
