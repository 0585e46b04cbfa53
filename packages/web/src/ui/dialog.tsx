import {
  createContext,
  type ReactNode,
  type SyntheticEvent,
  useContext,
  useEffect,
  useId,
  useRef,
} from 'react';
import { ui } from '../strings/ui.js';
import { Button } from './button.js';

const CloseDialogs = createContext(() => {});

/** Outside of dialogs, it does nothing. */
export function useCloseDialogs(): () => void {
  return useContext(CloseDialogs);
}

/** Escape closes the dialog. The focus then returns to the previous element. */
export function Dialog({
  title,
  isOpen,
  confirm,
  isWorking = false,
  onClose,
  children,
}: {
  title: string;
  isOpen: boolean;
  /** The text of the closing button. */
  confirm?: string;
  /** Hides the closing button. */
  isWorking?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const closeOthers = useCloseDialogs();
  const id = useId();
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) place.current?.showModal();
    else place.current?.close();
  }, [isOpen]);
  // React also passes on the event of a dialog inside this one.
  const closed = ({ target, currentTarget }: SyntheticEvent) => {
    if (target === currentTarget) onClose();
  };
  const closeAll = () => {
    onClose();
    closeOthers();
  };
  return (
    <dialog ref={place} aria-labelledby={id} onClose={closed}>
      {isOpen ? (
        <div className="stack">
          <h2 id={id}>{title}</h2>
          <CloseDialogs value={closeAll}>{children}</CloseDialogs>
          {isWorking ? null : (
            <div className="row end">
              <Button kind={confirm === undefined ? 'plain' : 'primary'} onClick={onClose}>
                {confirm ?? ui.close}
              </Button>
            </div>
          )}
        </div>
      ) : null}
    </dialog>
  );
}
