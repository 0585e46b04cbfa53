import type { Publication } from '@colophon/model';
import { useEffect, useState } from 'react';
import { LocalNote } from '../shell/local-note.js';
import { Link } from '../shell/navigation.js';
import { useClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import { publish } from '../strings/publish.js';
import { Notice } from '../ui/notice.js';
import { isLive, PublicationRow } from './publication-row.js';

const MAX_LISTED = 50;

/** Lists the live publications among the newest 50 of this content, with a link to the list of all publications. */
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
  return (
    <>
      {live.length === 0 ? null : (
        <section className="stack">
          <h3>{publish.existing}</h3>
          <LocalNote />
          <ul className="publications">
            {live.map((one) => (
              <li key={one.id}>
                <PublicationRow publication={one} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <p>
        <Link to="/links">{publish.all}</Link>
      </p>
      {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
    </>
  );
}
