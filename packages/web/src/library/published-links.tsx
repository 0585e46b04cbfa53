import { useMemo } from 'react';
import { sayShown } from '../publishing/say-shown.js';
import { useClient } from '../shell/project.js';
import { shortCid } from '../shell/short-labels.js';
import { useTitles } from '../shell/use-titles.js';
import { library } from '../strings/library.js';
import { publish } from '../strings/publish.js';
import { Instant } from '../ui/instant.js';
import { Notice } from '../ui/notice.js';
import type { LivePublications } from './use-publications.js';

const texts = library.links;
const MAX_SHOWN = 20;
const NO_CIDS: readonly string[] = [];

/** Shows nothing for a key that may not list publications. */
export function PublishedLinks({ found: { live, hasMore, fault } }: { found: LivePublications }) {
  const shown = useMemo(() => live?.slice(0, MAX_SHOWN), [live]);
  const client = useClient();
  const { titles } = useTitles(
    client,
    useMemo(() => shown?.map(({ cid }) => cid) ?? NO_CIDS, [shown]),
  );
  if (shown === undefined && fault === undefined) return null;
  return (
    <section className="card">
      <h2>{texts.title}</h2>
      {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
      {shown?.length === 0 ? <p className="quiet">{texts.none}</p> : null}
      <ul className="bare">
        {(shown ?? []).map((one) => (
          <li key={one.id}>
            <a href={one.path} target="_blank" rel="noopener">
              <Instant
                at={one.createdAt}
                say={(at) => texts.of(one.title ?? titles[one.cid] ?? shortCid(one.cid), at)}
              />
            </a>{' '}
            <span className="quiet">
              {publish.views(one.views)},{' '}
              {one.expiresAt === null ? publish.forever : <Instant at={one.expiresAt} say={texts.until} />}
            </span>
            <div className="quiet">{sayShown(one)}</div>
          </li>
        ))}
      </ul>
      {hasMore || (live ?? []).length > MAX_SHOWN ? <p className="quiet">{texts.more}</p> : null}
    </section>
  );
}
