import { OpenContent } from '../shell/open-content.js';
import { shares } from '../strings/shares.js';

/** Asks for a content, to show its shares. */
export function SharesStart() {
  return (
    <>
      <h1>{shares.title}</h1>
      <p className="quiet">{shares.lead}</p>
      <OpenContent of="shares" texts={shares.start} />
    </>
  );
}
