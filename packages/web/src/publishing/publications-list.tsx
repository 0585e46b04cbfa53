import type { Publication } from '@colophon/model';
import { useEffect, useState } from 'react';
import { LocalNote } from '../shell/local-note.js';
import { useClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import { publish } from '../strings/publish.js';
import { Notice } from '../ui/notice.js';
import { isLive, PublicationRow } from './publication-row.js';

const MAX_LISTED = 50;

/** Covers the newest 50 publications of this content. */
export function Existing({ cid }: { cid: string }) {
  const client = useClient();
  const [live, setLive] = useState<Publication[]>([]);
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    const ending = new AbortController();
    client.publications
      .list({ cid, limit: MAX_LISTED }, { signal: ending.signal })
      .then(({ publications }) => setLive(publications.filter(isLive)))
      .catch((error) => {
        if (!ending.signal.aborted) setFault(sayError(error));
      });
    return () => ending.abort();
  }, [client, cid]);
  const [newest, ...others] = live;
  if (fault !== undefined) return <Notice kind="danger">{fault}</Notice>;
  if (newest === undefined) return null;
  return (
    <Notice kind="info" title={publish.existing}>
      <p>{publish.existingWhy}</p>
      <PublicationRow publication={newest} />
      {others.length === 0 ? null : (
        <details>
          <summary>{publish.existingMore(others.length)}</summary>
          <ul className="publications">
            {others.map((one) => (
              <li key={one.id}>
                <PublicationRow publication={one} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <LocalNote />
    </Notice>
  );
}
