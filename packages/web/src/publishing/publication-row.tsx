import { type Publication, RESTORE_MS } from '@colophon/model';
import { useEffect, useState } from 'react';
import { useClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import { publish } from '../strings/publish.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { Instant } from '../ui/instant.js';
import { Notice } from '../ui/notice.js';
import { sayShown } from './say-shown.js';

/**
 * For one minute after the user has ended the link, a button can restore it. `contentTitle`: the name to show if the
 * publication has no headline.
 */
export function PublicationRow({
  publication: given,
  contentTitle,
}: {
  publication: Publication;
  contentTitle?: string | undefined;
}) {
  const client = useClient();
  const [publication, setPublication] = useState(given);
  const [asks, setAsks] = useState(false);
  const [undoMs, setUndoMs] = useState(() => undoMsOf(given));
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    if (undoMs === 0) return;
    const timer = setTimeout(() => setUndoMs(0), undoMs);
    return () => clearTimeout(timer);
  }, [undoMs]);
  const change = async (request: Promise<Publication>) => {
    setAsks(false);
    setFault(undefined);
    try {
      const changed = await request;
      setPublication(changed);
      setUndoMs(changed.revokedAt === null ? 0 : RESTORE_MS);
    } catch (error) {
      setFault(sayError(error));
    }
  };
  const { id, title, path, views, createdAt } = publication;
  const name = title ?? contentTitle ?? publish.untitled;
  return (
    <>
      <div className="row">
        <strong>{name}</strong>
        <span className="quiet">
          <Instant at={createdAt} say={publish.since} />
        </span>
        <span className="quiet">{publish.views(views)}</span>
        <span className="quiet">
          <PublicationState publication={publication} />
        </span>
      </div>
      <p className="quiet">{sayShown(publication)}</p>
      {isLive(publication) ? (
        <div className="row">
          <a href={path} target="_blank" rel="noopener">
            {publish.view}
            <span className="unseen"> {name}</span>
          </a>
          <CopyText text={new URL(path, window.location.origin).href} label={publish.link} />
          {asks ? null : (
            <Button kind="danger" aria-label={`${publish.end}: ${name}`} onClick={() => setAsks(true)}>
              {publish.end}
            </Button>
          )}
        </div>
      ) : null}
      {asks ? (
        <Notice kind="warning" title={publish.endTitle}>
          <p>{publish.endWhy}</p>
          <p>{publish.endSites}</p>
          <div className="row">
            <Button kind="danger" onClick={() => change(client.publications.revoke(id))}>
              {publish.endNow}
            </Button>
            <Button onClick={() => setAsks(false)}>{publish.keep}</Button>
          </div>
        </Notice>
      ) : null}
      <div role="status">
        {undoMs > 0 ? (
          <Notice kind="info" title={publish.ended}>
            <div className="row">
              <Button
                aria-label={`${publish.undo}: ${name}`}
                onClick={() => change(client.publications.restore(id))}
              >
                {publish.undo}
              </Button>
              <span className="quiet">{publish.undoWhy}</span>
            </div>
          </Notice>
        ) : null}
      </div>
      {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
    </>
  );
}

/** 0 for a live publication. */
function undoMsOf({ revokedAt }: Publication): number {
  if (revokedAt === null) return 0;
  return Math.min(RESTORE_MS, Math.max(0, Date.parse(revokedAt) + RESTORE_MS - Date.now()));
}

function PublicationState({ publication: { revokedAt, expiresAt } }: { publication: Publication }) {
  if (revokedAt !== null) return <Instant at={revokedAt} say={publish.endedOn} />;
  if (expiresAt === null) return publish.forever;
  const isOver = new Date(expiresAt) <= new Date();
  return <Instant at={expiresAt} say={isOver ? publish.expired : publish.ends} />;
}

export function isLive({ revokedAt, expiresAt }: Publication): boolean {
  return revokedAt === null && (expiresAt === null || new Date(expiresAt) > new Date());
}
