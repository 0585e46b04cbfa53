import { ContentGrid } from '../library/content-grid.js';
import { OpenContent } from '../shell/open-content.js';
import { shares } from '../strings/shares.js';

export function SharesStart() {
  return (
    <>
      <h1>{shares.title}</h1>
      <p className="quiet">{shares.lead}</p>
      <ContentGrid of="shares" />
      <OpenContent of="shares" texts={shares.start} />
    </>
  );
}
