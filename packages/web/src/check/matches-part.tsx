import type { Match, SearchResult } from '@colophon/model';
import { Link } from '../shell/navigation.js';
import { check } from '../strings/check.js';
import { history } from '../strings/history.js';
import { CopyText } from '../ui/copy-text.js';
import { OwnPicture, RecordedPicture } from './pictures.js';
import { Steps } from './records-part.js';

const text = check.matches;

/** Shows similar recorded content next to this file. `cid` is the content id of the file. */
export function MatchesPart({
  file,
  cid,
  search,
}: {
  file: File;
  cid: string | undefined;
  search: SearchResult | null;
}) {
  const others = othersOf(search, cid);
  return (
    <section className="card wide">
      <h3>{text.title}</h3>
      {others.length === 0 ? <p>{sayMatches(search, cid)}</p> : null}
      {others.length === 0 ? null : (
        <ul className="matches">
          {others.map((match) => (
            <li key={match.cid}>
              <Pair file={file} match={match} />
              {search?.bundle?.cid === match.cid ? (
                <Steps bundle={search.bundle} own={history.recordedFile} />
              ) : null}
              <Link to={`/explore/${match.cid}`}>{check.recorded.history}</Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function othersOf(search: SearchResult | null, cid: string | undefined): Match[] {
  return search?.matches.filter((match) => match.cid !== cid) ?? [];
}

/** Describes the result of the search for similar content. `cid` is the content id of the searched file. */
export function sayMatches(search: SearchResult | null, cid: string | undefined): string {
  if (search === null) return text.notCompared;
  const count = othersOf(search, cid).length;
  if (count > 0) return text.found(count);
  return search.matches.length === 0 ? text.none : text.noneBeside;
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
