import { Suspense, useState } from 'react';
import { lazyPart } from '../shell/lazy-part.js';
import { StopFault } from '../shell/stop-fault.js';
import { publish } from '../strings/publish.js';
import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { Dialog, useCloseDialogs } from '../ui/dialog.js';
import type { MarkOffer } from './unmarked.js';

const PublishForm = lazyPart(async () => (await import('./publish-form.js')).PublishForm);

/**
 * Opens a dialog in which the user publishes the history of a content, or ends a publication. `markOffer`: a marked
 * copy of a file that was made with AI and has no marks. The dialog then advises to publish the copy. After a
 * publication, the dialogs around this dialog close with it.
 */
export function PublishButton({ cid, markOffer }: { cid: string; markOffer?: MarkOffer | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isPublished, setIsPublished] = useState(false);
  const closeOthers = useCloseDialogs();
  const close = () => {
    setIsOpen(false);
    setIsPublished(false);
    if (isPublished) closeOthers();
  };
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{publish.open}</Button>
      <Dialog title={publish.title} isOpen={isOpen} onClose={close}>
        <StopFault>
          <Suspense fallback={<p className="quiet">{shell.loading}</p>}>
            <PublishForm {...{ cid, markOffer }} onPublished={() => setIsPublished(true)} />
          </Suspense>
        </StopFault>
      </Dialog>
    </>
  );
}
