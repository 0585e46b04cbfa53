import type { Match, SearchResult } from '@colophon/model';
import { Link } from '../shell/navigation.js';
import type { Titles } from '../shell/use-titles.js';
import { check } from '../strings/check.js';
import { history } from '../strings/history.js';
import { CopyText } from '../ui/copy-text.js';
import { OwnPicture, RecordedPicture } from './pictures.js';
import { Steps } from './records-part.js';
import { othersOf } from './say-matches.js';

const text = check.matches;

export function MatchesPart({
  file,
  cid,
  search,
  titles = {},
}: {
  file: File;
  cid: string | undefined;
  search: SearchResult | null;
  titles: Titles | undefined;
}) {
  const others = othersOf(search, cid);
  if (others.length === 0) return null;
  return (
    <section className="card wide">
      <h3>{text.title}</h3>
      <ul className="matches">
        {others.map((match) => (
          <li key={match.cid}>
            {titles[match.cid] === undefined ? null : <strong>{titles[match.cid]}</strong>}
            <Pair file={file} match={match} />
            {search?.bundle?.cid === match.cid ? (
              <Steps bundle={search.bundle} own={history.recordedFile} />
            ) : null}
            <Link to={`/explore/${match.cid}`}>{check.recorded.history}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Pair({ file, match: { cid, score, method, type } }: { file: File; match: Match }) {
  return (
    <div className="stack">
      {type === 'image' ? (
        <div className="pair">
          <figure>
            <OwnPicture file={file} />
            <figcaption>{text.yours}</figcaption>
          </figure>
          <figure>
            <RecordedPicture cid={cid} />
            <figcaption>{text.theirs}</figcaption>
          </figure>
        </div>
      ) : null}
      <details>
        <summary>{text.score(score)}</summary>
        <p>{text.method(method)}</p>
        <CopyText text={cid} label={check.cid} />
      </details>
    </div>
  );
}
