import type { Bundle, Distribution, Policy } from '@colophon/model';
import { useEffect, useRef, useState } from 'react';
import { formatDecimal } from '../languages/formats.js';
import { Link } from '../shell/navigation.js';
import { useClient } from '../shell/project.js';
import { sayContentError } from '../shell/say-error.js';
import { shortCid } from '../shell/short-labels.js';
import type { StoryProps } from '../shell/story.js';
import { useTabTitle } from '../shell/use-tab-title.js';
import { type Titles, useTitlesOf } from '../shell/use-titles.js';
import { shares as text } from '../strings/shares.js';
import { Choice } from '../ui/choice.js';
import { CopyText } from '../ui/copy-text.js';
import { Notice } from '../ui/notice.js';
import { Thumbnail } from '../ui/thumbnail.js';
import { ShareBar } from './share-bar.js';
import { countUnmade, isSharedByDefault, toRows } from './share-rows.js';
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
  const bundle = found !== undefined && 'bundle' in found ? found.bundle : undefined;
  const titles = useTitlesOf(useClient(), bundle).titles;
  return (
    <>
      <Head cid={cid} bundle={bundle} title={titles[bundle?.cid ?? cid]} />
      <form className="card terms stack">
        <div className="terms-choices">
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
        </div>
        {terms.policy === 'direct' ? null : <p className="hint">{sayDecay(terms.decay)}</p>}
      </form>
      <div aria-live="polite" className="stack">
        {found === undefined ? <p className="quiet">{text.loading}</p> : null}
        {found !== undefined && 'fault' in found ? <Notice kind="danger">{found.fault}</Notice> : null}
        {found !== undefined && 'bundle' in found ? <Shown {...found} titles={titles} /> : null}
      </div>
    </>
  );
}

/** Explains the decay by an example with a single source. */
function sayDecay(decay: Terms['decay']): string {
  const [numerator = 1, denominator = 1] = decay.split('/').map(Number);
  const own = (100 * denominator) / (denominator + numerator);
  const toText = (percent: number) => text.percent(formatDecimal(percent, 2));
  return text.decayMeans(toText(own), toText(100 - own));
}

function Head({
  cid,
  bundle,
  title,
}: {
  cid: string;
  bundle: Bundle | undefined;
  title: string | undefined;
}) {
  const name = title ?? shortCid(bundle?.cid ?? cid);
  const mimeType = bundle?.resources.find((resource) => resource.cid === bundle.cid)?.mimeType;
  useTabTitle(text.of(name));
  return (
    <div className="shares-head">
      <Thumbnail cid={bundle?.cid ?? cid} title="" mimeType={mimeType} />
      <div className="stack">
        <h1>{text.of(name)}</h1>
        <CopyText text={cid} label={text.start.field} />
        <Link to={`/explore/${cid}`}>{text.toHistory}</Link>
      </div>
    </div>
  );
}

function Shown({
  distribution,
  bundle,
  titles,
}: {
  distribution: Distribution;
  bundle: Bundle;
  titles: Titles;
}) {
  const { complete, allocated } = distribution;
  const rows = toRows(distribution, bundle, titles);
  const unmade = countUnmade(distribution, bundle);
  if (allocated === 0) return <Notice kind="info" title={text.nobody} />;
  return (
    <section className="card">
      {complete ? null : <Notice kind="warning" title={text.partial} />}
      {unmade === 0 ? null : <Notice kind="info">{text.unmade(unmade)}</Notice>}
      <ShareBar rows={rows} total={distribution.total} />
      <ShareTable rows={rows} />
      {isSharedByDefault(distribution) ? <p className="quiet">{text.byDefault}</p> : null}
    </section>
  );
}

/**
 * Returns the previous result until the next one arrives. The history does not depend on policy and decay, so it is
 * read once.
 */
function useShares(cid: string, { policy, decay }: Terms): Found {
  const client = useClient();
  // The page creates this component again for another content or project.
  const history = useRef<Promise<Bundle>>(undefined);
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const terms = policy === 'direct' ? { policy } : { policy, decay };
    history.current ??= client.histories.bundle(cid);
    Promise.all([client.distributions.get(cid, terms, { signal }), history.current])
      .then(([distribution, bundle]) => {
        if (!signal.aborted) setFound({ distribution, bundle });
      })
      .catch((error) => {
        history.current = undefined;
        if (!signal.aborted) setFound({ fault: sayContentError(error) });
      });
    return () => ending.abort();
  }, [client, cid, policy, decay]);
  return found;
}
