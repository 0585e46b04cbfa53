import type { Publication } from '@colophon/model';
import { useEffect, useState } from 'react';
import { useClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import { formatDay } from '../strings/describe-facts.js';
import { publish } from '../strings/publish.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';

const MAX_LISTED = 50;

/**
 * Lists the live ones of the first 50 publications of this content. Each has a link, and a button that ends the
 * publication.
 */
export function Existing({ cid }: { cid: string }) {
  const client = useClient();
  const [live, setLive] = useState<Publication[]>([]);
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    const ending = new AbortController();
    client.publications
      .list({ cid, limit: MAX_LISTED }, { signal: ending.signal })
      .then(({ publications }) => setLive(publications.filter(isLive)))
      .catch((error) => {
        if (!ending.signal.aborted) setSaid(sayError(error));
      });
    return () => ending.abort();
  }, [client, cid]);
  const end = async (id: string) => {
    try {
      await client.publications.revoke(id);
      setLive((before) => before.filter((one) => one.id !== id));
      setSaid(publish.ended);
    } catch (error) {
      setSaid(sayError(error));
    }
  };
  return (
    <>
      {live.length === 0 ? null : (
        <section className="stack">
          <h3>{publish.existing}</h3>
          <ul className="publications">
            {live.map((one) => (
              <li key={one.id}>
                <div className="row">
                  <a href={one.path} target="_blank" rel="noopener">
                    {one.title ?? publish.untitled}, {formatDay(one.createdAt)}
                  </a>
                  <span className="quiet">{publish.views(one.views)}</span>
                  {one.expiresAt === null ? null : (
                    <span className="quiet">{publish.ends(formatDay(one.expiresAt))}</span>
                  )}
                  <Button
                    kind="danger"
                    aria-label={`${publish.end}: ${one.title ?? publish.untitled}`}
                    onClick={() => end(one.id)}
                  >
                    {publish.end}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div role="status">{said === undefined ? null : <Notice kind="info">{said}</Notice>}</div>
    </>
  );
}

function isLive({ revokedAt, expiresAt }: Publication): boolean {
  return revokedAt === null && (expiresAt === null || new Date(expiresAt) > new Date());
}
