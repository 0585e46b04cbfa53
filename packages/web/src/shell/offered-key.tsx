import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { useProject } from './project.js';

const { offered: texts } = shell;

/** Asks a signed-in user who opened a link with a project key. */
export function OfferedKey() {
  const { offered, answerOffer } = useProject();
  return (
    <Dialog title={texts.title} isOpen={offered !== undefined} onClose={() => answerOffer(false)}>
      <p>{texts.why(`${offered?.slice(0, 12)}…`)}</p>
      <div className="row">
        <Button kind="primary" onClick={() => answerOffer(false)}>
          {texts.keep}
        </Button>
        <Button onClick={() => answerOffer(true)}>{texts.use}</Button>
      </div>
    </Dialog>
  );
}
