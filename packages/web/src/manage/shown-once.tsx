import type { CreatedApiKey, Entity } from '@colophon/model';
import { ApiError, type PageClient } from '@colophon/sdk';
import { useEffect, useId, useState } from 'react';
import { nameForReaders } from '../shell/name-user.js';
import { useProject } from '../shell/project.js';
import { useSession } from '../shell/session.js';
import { manage } from '../strings/manage.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { sayEntity } from './say-entity.js';
import { toCurl } from './to-curl.js';

const { keys: texts } = manage;
/** Stands for the maker if the key is bound to an entity, or the user has no name for readers. */
const PLACEHOLDER = 'YOUR NAME';

/** The page stores the key only if the user chooses to use it here. */
export function ShownOnce({
  page,
  made,
  people,
  onDone,
}: {
  page: PageClient;
  made: CreatedApiKey;
  people: readonly Entity[];
  onDone: () => void;
}) {
  const { setKey } = useProject();
  const hint = useId();
  const isKnown = useIsKnown(page, made);
  const session = useSession().loaded.value;
  const user = session?.signedIn === true && made.entityId === null ? session.user : undefined;
  const name = (user && nameForReaders(user)) ?? PLACEHOLDER;
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
        {isKnown === undefined ? (
          <p className="quiet">{manage.loading}</p>
        ) : (
          <CopyText text={toCurl(made, { base: window.location.origin, isKnown, name })} label={texts.call} />
        )}
      </div>
      {made.permissions === 'read' ? null : (
        <p className="hint">{isKnown === false ? texts.namesNeeded(name) : texts.fileNeeded}</p>
      )}
      <div className="row">
        <Button onClick={takeHere} aria-describedby={hint}>
          {texts.useHere}
        </Button>
      </div>
      <p id={hint} className="hint">
        {texts.useHereHelp}
      </p>
    </>
  );
}

/** Whether the project has the entity of a bound key. */
function useIsKnown(page: PageClient, { projectId, entityId }: CreatedApiKey): boolean | undefined {
  const [isKnown, setIsKnown] = useState(entityId === null ? false : undefined);
  useEffect(() => {
    if (entityId === null) return undefined;
    const ending = new AbortController();
    page
      .project(projectId)
      .entities.get(entityId, { signal: ending.signal })
      .then(
        () => true,
        // After any other error, the command sends only the id.
        (error: unknown) => !(error instanceof ApiError && error.code === 'NotFound'),
      )
      .then((found) => ending.signal.aborted || setIsKnown(found));
    return () => ending.abort();
  }, [page, projectId, entityId]);
  return isKnown;
}
