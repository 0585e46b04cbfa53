import type { CreatedApiKey, Entity } from '@colophon/model';
import { useProject } from '../shell/project.js';
import { manage } from '../strings/manage.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { sayEntity } from './say-entity.js';
import { toCurl } from './to-curl.js';

const { keys: texts } = manage;

/** Shows a new key once, with a request that uses it. The page stores the key only if the user chooses to use it here. */
export function ShownOnce({
  made,
  people,
  onDone,
}: {
  made: CreatedApiKey;
  people: readonly Entity[];
  onDone: () => void;
}) {
  const { setKey } = useProject();
  const isKnown = people.some(({ id }) => id === made.entityId);
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
      {made.entityId === null ? null : <p>{texts.boundTo(sayEntity(made.entityId, people))}</p>}
      <h3>{texts.first[made.permissions === 'read' ? 'read' : 'record']}</h3>
      <div className="once">
        <CopyText text={toCurl(made, { base: window.location.origin, isKnown })} label={texts.call} />
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
