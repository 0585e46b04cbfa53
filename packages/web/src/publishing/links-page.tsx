import type { Publication } from '@colophon/model';
import { useEffect, useMemo, useState } from 'react';
import { LocalNote } from '../shell/local-note.js';
import { Link } from '../shell/navigation.js';
import { useClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import { useTitles } from '../shell/use-titles.js';
import { publish } from '../strings/publish.js';
import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { Thumbnail } from '../ui/thumbnail.js';
import { PublicationRow } from './publication-row.js';
import './publishing.css';

const PAGE_SIZE = 25;

interface Listed {
  publications: Publication[];
  /** Undefined before the first page, null after the last one. */
  next: string | null | undefined;
}

export function LinksPage() {
  const client = useClient();
  const [{ publications, next }, setListed] = useState<Listed>({ publications: [], next: undefined });
  const [cursor, setCursor] = useState<string>();
  const [fault, setFault] = useState<string>();
  const { titles } = useTitles(
    client,
    useMemo(() => [...new Set(publications.map(({ cid }) => cid))], [publications]),
  );
  useEffect(() => {
    const ending = new AbortController();
    const query = { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
    client.publications
      .list(query, { signal: ending.signal })
      .then((page) =>
        setListed((before) => ({
          publications:
            cursor === undefined ? page.publications : [...before.publications, ...page.publications],
          next: page.nextCursor,
        })),
      )
      .catch((error) => {
        if (!ending.signal.aborted) setFault(sayError(error));
      });
    return () => ending.abort();
  }, [client, cursor]);
  return (
    <>
      <header className="stack">
        <h1>{publish.allTitle}</h1>
        <p>{publish.allWhy}</p>
        {publications.length === 0 ? null : <LocalNote />}
      </header>
      {next === undefined && fault === undefined ? <p className="quiet">{shell.loading}</p> : null}
      {next === null && publications.length === 0 ? (
        <Notice kind="info" title={publish.none}>
          <p>
            {publish.noneHow} <Link to="/explore">{publish.toExplore}</Link>
          </p>
        </Notice>
      ) : null}
      <ul className="publications links">
        {publications.map((one) => (
          <li key={one.id} className="card pictured-link">
            <Thumbnail cid={one.cid} title="" />
            <div className="stack">
              <PublicationRow publication={one} contentTitle={titles[one.cid]} />
              <Link to={`/explore/${one.cid}`}>{publish.toHistory(titles[one.cid], one.cid)}</Link>
            </div>
          </li>
        ))}
      </ul>
      {typeof next === 'string' ? (
        <div className="row">
          <Button onClick={() => setCursor(next)}>{publish.more}</Button>
        </div>
      ) : null}
      {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
    </>
  );
}
