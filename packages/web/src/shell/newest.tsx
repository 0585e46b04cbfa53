import { type Action, namedCorrection } from '@colophon/model';
import { useEffect, useMemo, useState } from 'react';
import { explore } from '../strings/explore.js';
import { factTexts } from '../strings/facts.js';
import { Instant } from '../ui/instant.js';
import { Notice } from '../ui/notice.js';
import { Thumbnail } from '../ui/thumbnail.js';
import { Link } from './navigation.js';
import { useClient } from './project.js';
import { sayError } from './say-error.js';
import { nameContent, nameNewest } from './short-labels.js';
import { useTitles } from './use-titles.js';

const texts = explore.start;
const NEWEST = 20;

export function Newest({ of }: { of: 'explore' | 'shares' }) {
  const client = useClient();
  const [actions, setActions] = useState<Action[]>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    const ending = new AbortController();
    client.actions
      .list({ limit: NEWEST }, { signal: ending.signal })
      .then(({ actions: read }) => setActions(read))
      .catch((error) => {
        if (!ending.signal.aborted) setFault(sayError(error));
      });
    return () => ending.abort();
  }, [client]);
  const made = useMemo(
    () => (actions ?? []).flatMap((action) => action.outputCids.slice(0, 1).map((cid) => ({ action, cid }))),
    [actions],
  );
  const { titles, fault: untitled } = useTitles(
    client,
    useMemo(() => made.map(({ cid }) => cid), [made]),
  );
  return (
    <section className="card">
      <h2>{texts.newest}</h2>
      {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
      {actions !== undefined && made.length === 0 ? <p className="quiet">{texts.none}</p> : null}
      <ul className="bare pictured">
        {made.map(({ action, cid }) => (
          <li key={action.id}>
            <Thumbnail cid={cid} title={nameContent(cid, titles)} />
            <span>
              <Link to={`/${of}/${cid}`}>{nameNewest(action, nameContent(cid, titles))}</Link>{' '}
              <span className="quiet">
                <StepTime action={action} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {untitled === undefined ? null : <p className="quiet">{untitled}</p>}
    </section>
  );
}

/** A correction keeps the time of the corrected entry, so the list shows when it was recorded. */
function StepTime({ action }: { action: Action }) {
  if (namedCorrection(action) === undefined) return <Instant at={action.timestamp} />;
  return <Instant at={action.recordedAt} say={factTexts.recorded} />;
}
