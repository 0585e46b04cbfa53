import type { Bundle, Distribution, Policy } from '@colophon/model';
import { useEffect, useState } from 'react';
import { Link } from '../shell/navigation.js';
import { useClient } from '../shell/project.js';
import { sayContentError } from '../shell/say-error.js';
import type { StoryProps } from '../shell/story.js';
import { shares as text } from '../strings/shares.js';
import { Choice } from '../ui/choice.js';
import { Notice } from '../ui/notice.js';
import { ShareBar } from './share-bar.js';
import { toRows } from './share-rows.js';
import { ShareTable } from './share-table.js';
import './shares.css';

const POLICIES = ['direct', 'parents', 'all-ancestors'] as const satisfies readonly Policy[];
const DECAYS = ['1/4', '1/2', '3/4', '1'] as const;

interface Terms {
  policy: Policy;
  decay: (typeof DECAYS)[number];
}

type Found = { distribution: Distribution; bundle: Bundle } | { fault: string } | undefined;

export function SharesPage({ values: { cid = '' } }: StoryProps) {
  const [terms, setTerms] = useState<Terms>({ policy: 'all-ancestors', decay: '1/2' });
  const found = useShares(cid, terms);
  return (
    <>
      <div className="stack">
        <h1>{text.title}</h1>
        <p className="quiet">
          {text.of} <code>{cid}</code>
        </p>
        <Link to={`/explore/${cid}`}>{text.toHistory}</Link>
      </div>
      <form className="card terms">
        <Choice
          label={text.policy}
          options={POLICIES.map((value) => ({ value, text: text.policies[value] }))}
          value={terms.policy}
          onChoose={(policy) => setTerms({ ...terms, policy })}
        />
        {terms.policy === 'direct' ? null : (
          <Choice
            label={text.decay}
            options={DECAYS.map((value) => ({ value, text: text.decays[value] }))}
            value={terms.decay}
            onChoose={(decay) => setTerms({ ...terms, decay })}
          />
        )}
      </form>
      <div aria-live="polite" className="stack">
        {found === undefined ? <p className="quiet">{text.loading}</p> : null}
        {found !== undefined && 'fault' in found ? <Notice kind="danger">{found.fault}</Notice> : null}
        {found !== undefined && 'bundle' in found ? <Shown {...found} /> : null}
      </div>
    </>
  );
}

function Shown({ distribution, bundle }: { distribution: Distribution; bundle: Bundle }) {
  const { complete, allocated, defaultUsed } = distribution;
  const rows = toRows(distribution, bundle);
  if (allocated === 0) return <Notice kind="info" title={text.nobody} />;
  return (
    <section className="card">
      {complete ? null : <Notice kind="warning" title={text.partial} />}
      <ShareBar rows={rows} total={distribution.total} />
      <ShareTable rows={rows} />
      {defaultUsed ? <p className="quiet">{text.byDefault}</p> : null}
    </section>
  );
}

/** Returns the previous result until the next one arrives. */
function useShares(cid: string, { policy, decay }: Terms): Found {
  const client = useClient();
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const terms = policy === 'direct' ? { policy } : { policy, decay };
    Promise.all([
      client.distributions.get(cid, terms, { signal }),
      client.histories.bundle(cid, {}, { signal }),
    ])
      .then(([distribution, bundle]) => setFound({ distribution, bundle }))
      .catch((error) => {
        if (!signal.aborted) setFound({ fault: sayContentError(error) });
      });
    return () => ending.abort();
  }, [client, cid, policy, decay]);
  return found;
}
