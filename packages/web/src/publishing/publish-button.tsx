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
 * `markOffer`: a marked copy, which the dialog advises to publish instead. After a publication, the dialogs around this
 * one close too.
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
