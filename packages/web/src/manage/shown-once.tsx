import type { CreatedApiKey } from '@colophon/model';
import { useProject } from '../shell/project.js';
import { manage } from '../strings/manage.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { toCurl } from './to-curl.js';

const { keys: texts } = manage;

/** Shows a new key once, with a request that uses it. The page stores the key only if the user chooses to use it here. */
export function ShownOnce({ made, onDone }: { made: CreatedApiKey; onDone: () => void }) {
  const { setKey } = useProject();
  const takeHere = () => {
    setKey(made.key);
    onDone();
  };
  return (
    <>
      <p>{texts.shownOnce}</p>
      <div className="once">
        <CopyText text={made.key} label={texts.label} />
      </div>
      <h3>{texts.first[made.permissions === 'read' ? 'read' : 'record']}</h3>
      <div className="once">
        <CopyText text={toCurl(made, window.location.origin)} label={texts.call} />
      </div>
      <div className="row">
        <Button kind="primary" onClick={onDone}>
          {texts.done}
        </Button>
        <Button onClick={takeHere}>{texts.useHere}</Button>
      </div>
    </>
  );
}
