import { Suspense, useState } from 'react';
import { lazyPart } from '../shell/lazy-part.js';
import { StopFault } from '../shell/stop-fault.js';
import { publish } from '../strings/publish.js';
import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import type { MarkOffer } from './unmarked.js';

const PublishForm = lazyPart(async () => (await import('./publish-form.js')).PublishForm);

/**
 * Opens the dialog that publishes the history of a content, or ends a publication. `markOffer`: a marked copy of
 * a file that was made with AI and has no marks. The dialog then advises to publish the copy.
 */
export function PublishButton({ cid, markOffer }: { cid: string; markOffer?: MarkOffer | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{publish.open}</Button>
      <Dialog title={publish.title} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <StopFault>
          <Suspense fallback={<p className="quiet">{shell.loading}</p>}>
            <PublishForm cid={cid} markOffer={markOffer} />
          </Suspense>
        </StopFault>
      </Dialog>
    </>
  );
}
