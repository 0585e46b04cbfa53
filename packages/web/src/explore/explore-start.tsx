import { ContentGrid } from '../library/content-grid.js';
import { OpenContent } from '../shell/open-content.js';
import { explore } from '../strings/explore.js';

export function ExploreStart() {
  return (
    <>
      <h1>{explore.title}</h1>
      <p>{explore.start.why}</p>
      <ContentGrid of="explore" />
      <OpenContent of="explore" texts={explore.start} />
    </>
  );
}
