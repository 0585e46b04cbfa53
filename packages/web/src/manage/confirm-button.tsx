import { useState } from 'react';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Form } from './parts.js';

/** Asks in a dialog before it removes something. */
export function ConfirmButton({
  name,
  label = name,
  title,
  help,
  kind = 'danger',
  onConfirm,
}: {
  name: string;
  /** The name for screen readers, which distinguishes buttons with the same `name`. */
  label?: string;
  title: string;
  help: string;
  kind?: 'danger' | 'quiet';
  onConfirm: () => Promise<unknown>;
}) {
  const [isAsked, setIsAsked] = useState(false);
  const confirm = async () => {
    await onConfirm();
    setIsAsked(false);
  };
  return (
    <>
      <Button kind={kind} aria-label={label} onClick={() => setIsAsked(true)}>
        {name}
      </Button>
      <Dialog title={title} isOpen={isAsked} onClose={() => setIsAsked(false)}>
        <Form submit={label} kind="danger" onSubmit={confirm}>
          <p>{help}</p>
        </Form>
      </Dialog>
    </>
  );
}
