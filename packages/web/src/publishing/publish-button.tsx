import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '../shell/lazy-part.js';
import { StopFault } from '../shell/stop-fault.js';
import { publish } from '../strings/publish.js';
import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';

const PublishForm = lazyPart(async () => (await import('./publish-form.js')).PublishForm);

/**
 * Opens the dialog that publishes the history of a content, or ends a publication. `markButton`: makes a marked copy of
 * a file that was made with AI and has no marks. A dialog with this button advises to publish the copy.
 */
export function PublishButton({ cid, markButton }: { cid: string; markButton?: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{publish.open}</Button>
      <Dialog title={publish.title} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <StopFault>
          <Suspense fallback={<p className="quiet">{shell.loading}</p>}>
            <PublishForm cid={cid} markButton={markButton} />
          </Suspense>
        </StopFault>
      </Dialog>
    </>
  );
}
