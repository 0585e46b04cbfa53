import type { Mark } from '@colophon/model';
import { createContext, type ReactNode, Suspense, useContext, useRef, useState } from 'react';
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

/** Returns the shared copy of a content. Undefined outside of `SharedCopies`. */
const CopyOf = createContext<((cid: string) => SharedCopy) | undefined>(undefined);

/** All buttons for one file make the same marked copy. */
export function SharedCopies({ children }: { children: ReactNode }) {
  const [made, setMade] = useState<ReadonlyMap<string, Mark>>(new Map());
  const ids = useRef(new Map<string, SharedCopy['actionIds']>());
  const copyOf = (cid: string): SharedCopy => {
    const actionIds = ids.current.get(cid) ?? newActionIds();
    ids.current.set(cid, actionIds);
    const onMade = (mark: Mark) => setMade((before) => new Map(before).set(cid, mark));
    return { made: made.get(cid), onMade, actionIds };
  };
  return <CopyOf value={copyOf}>{children}</CopyOf>;
}

/** Each attempt sends the same id, so the service makes no second copy if only the response was lost. */
function newActionIds(): SharedCopy['actionIds'] {
  return { ai_generated: newUuid(), ai_assisted: newUuid() };
}

/** Outside of `SharedCopies`, no other component shares the copy. */
function useCopy(cid: string | undefined): SharedCopy {
  const copyOf = useContext(CopyOf);
  const [made, onMade] = useState<Mark>();
  const [actionIds] = useState(newActionIds);
  return cid === undefined || copyOf === undefined ? { made, onMade, actionIds } : copyOf(cid);
}

/** When it opens again, the dialog shows the copy that was made. */
function MarkButton({ marking, copy }: { marking: Marking; copy: SharedCopy }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isSending, setIsSending] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{text.open}</Button>
      <Dialog title={text.title} isOpen={isOpen} isWorking={isSending} onClose={() => setIsOpen(false)}>
        <StopFault>
          <Suspense fallback={<p className="quiet">{shell.loading}</p>}>
            <MarkForm marking={marking} {...copy} onSending={setIsSending} />
          </Suspense>
        </StopFault>
      </Dialog>
    </>
  );
}

/** `made`: CID of the copy. Inside of `SharedCopies`, all buttons with the same `cid` share it. */
export function useMarkOffer(marking: Marking | undefined, cid?: string): MarkOffer | undefined {
  const copy = useCopy(cid);
  return marking && { button: <MarkButton marking={marking} copy={copy} />, made: copy.made?.cid };
}
