import { Newest } from '../shell/newest.js';
import { useClient } from '../shell/project.js';
import { library } from '../strings/library.js';
import { ContentGrid } from './content-grid.js';
import { PublishedLinks } from './published-links.js';
import { usePublications } from './use-publications.js';

export function LibraryPage() {
  const client = useClient();
  const publications = usePublications(client);
  return (
    <>
      <div className="stack">
        <h1>{library.title}</h1>
        <p className="quiet">{library.lead}</p>
      </div>
      <div className="library">
        <ContentGrid of="explore" publications={publications.live} />
        <div className="stack">
          <PublishedLinks found={publications} />
          <Newest of="explore" />
        </div>
      </div>
    </>
  );
}
