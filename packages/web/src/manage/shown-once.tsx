import type { CreatedApiKey } from '@colophon/model';
import { manage } from '../strings/manage.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';

const { keys: texts } = manage;

/** Shows a new key once. The page does not store it. */
export function ShownOnce({ made, onDone }: { made: CreatedApiKey; onDone: () => void }) {
  return (
    <>
      <p>{texts.shownOnce}</p>
      <div className="once">
        <CopyText text={made.key} label={texts.label} />
      </div>
      <div className="row">
        <Button kind="primary" onClick={onDone}>
          {texts.done}
        </Button>
      </div>
    </>
  );
}
