import type { Mark } from '@colophon/model';
import { Suspense, useState } from 'react';
import type { MarkOffer } from '../publishing/unmarked.js';
import { lazyPart } from '../shell/lazy-part.js';
import { newUuid } from '../shell/new-uuid.js';
import { StopFault } from '../shell/stop-fault.js';
import { marking as text } from '../strings/marking.js';
import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import type { Marking, SharedCopy } from './to-marking.js';

const MarkForm = lazyPart(async () => (await import('./mark-form.js')).MarkForm);

/** Returns the marked copy of one file, for all buttons that make it. */
function useSharedCopy(): SharedCopy {
  const [made, onMade] = useState<Mark>();
  // With the same id, a further attempt makes no second copy if only the response was lost.
  const [actionIds] = useState(() => ({ ai_generated: newUuid(), ai_assisted: newUuid() }));
  return { made, onMade, actionIds };
}

/**
 * Opens the dialog that makes a marked copy of a file. When it opens again, the dialog shows the copy that was made.
 * `copy`: the copy that other buttons for this file make too. Without it, the button has a copy of its own.
 */
export function MarkButton({ marking, copy }: { marking: Marking; copy?: SharedCopy }) {
  const [isOpen, setIsOpen] = useState(false);
  const own = useSharedCopy();
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{text.open}</Button>
      <Dialog title={text.title} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <StopFault>
          <Suspense fallback={<p className="quiet">{shell.loading}</p>}>
            <MarkForm marking={marking} {...(copy ?? own)} />
          </Suspense>
        </StopFault>
      </Dialog>
    </>
  );
}

/** Returns the button that makes a marked copy, for several places of a page, with the copy that it made. */
export function useMarkOffer(marking: Marking | undefined): MarkOffer | undefined {
  const copy = useSharedCopy();
  return marking && { button: <MarkButton marking={marking} copy={copy} />, made: copy.made?.cid };
}
