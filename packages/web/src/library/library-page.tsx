import { useMemo } from 'react';
import { Newest } from '../shell/newest.js';
import { useClient } from '../shell/project.js';
import { library } from '../strings/library.js';
import { ContentGrid } from './content-grid.js';
import { PublishedLinks } from './published-links.js';
import { usePublications } from './use-publications.js';

/** The home of users with a project. */
export function LibraryPage() {
  const client = useClient();
  const publications = usePublications(client);
  const published = useMemo(
    () => new Set((publications.live ?? []).map(({ cid }) => cid)),
    [publications.live],
  );
  return (
    <>
      <div className="stack">
        <h1>{library.title}</h1>
        <p className="quiet">{library.lead}</p>
      </div>
      <div className="library">
        <ContentGrid of="explore" published={published} />
        <div className="stack">
          <PublishedLinks found={publications} />
          <Newest of="explore" />
        </div>
      </div>
    </>
  );
}
