import type { Match, SearchResult } from '@colophon/model';
import { check } from '../strings/check.js';
import { CopyText } from '../ui/copy-text.js';
import { OwnPicture, RecordedPicture } from './pictures.js';
import { Steps } from './records-part.js';

const text = check.matches;

/** Recorded content like this file, each beside it. */
export function MatchesPart({ file, search }: { file: File; search: SearchResult | null }) {
  const { matches, bundle } = search ?? { matches: [] };
  return (
    <section className="card wide">
      <h3>{text.title}</h3>
      {matches.length === 0 ? <p>{search === null ? text.notCompared : text.none}</p> : null}
      <ul className="matches">
        {matches.map((match) => (
          <li key={match.cid}>
            <Pair file={file} match={match} />
            {bundle?.cid === match.cid ? <Steps bundle={bundle} /> : null}
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
