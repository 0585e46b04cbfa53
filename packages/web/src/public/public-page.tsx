import type { PublishedHistory } from '@colophon/model';
import { ApiError } from '@colophon/sdk';
import { useEffect, useState } from 'react';
import { Embed } from '../publishing/embed.js';
import { openClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import type { StoryProps } from '../shell/story.js';
import { describeOrigin, describeRecord, formatDay } from '../strings/describe-facts.js';
import { published } from '../strings/public.js';
import { CopyText } from '../ui/copy-text.js';
import { Notice } from '../ui/notice.js';
import { CompareFile } from './compare-file.js';
import { Credits } from './credits.js';
import { People, Steps } from './history-lists.js';
import { ProofCheck } from './proof-check.js';
import './public.css';

type State = 'loading' | 'absent' | { failed: string } | { history: PublishedHistory };

/** `/p/:id`: the public view of a published history. */
export function PublicPage({ values: { id = '' } }: StoryProps) {
  const [state, setState] = useState<State>('loading');
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    openClient()
      .published.history(id, { signal })
      .then((history) => setState({ history }))
      .catch((error) => {
        if (signal.aborted) return;
        const isAbsent = error instanceof ApiError && ['NotFound', 'InvalidField'].includes(error.code);
        setState(isAbsent ? 'absent' : { failed: sayError(error) });
      });
    return () => ending.abort();
  }, [id]);
  if (state === 'loading') return <p className="quiet">{published.loading}</p>;
  if (state === 'absent') {
    return (
      <>
        <h1>{published.absent}</h1>
        <p>{published.absentWhy}</p>
      </>
    );
  }
  return 'failed' in state ? (
    <Notice kind="danger">{state.failed}</Notice>
  ) : (
    <History history={state.history} />
  );
}

function History({ history }: { history: PublishedHistory }) {
  const { title, facts } = history;
  return (
    <article className="public stack">
      <header className="stack">
        {title === null ? null : <p className="public-title">{title}</p>}
        <h1>{describeOrigin(facts)}</h1>
        <p className="public-lead">{describeRecord(facts).join(' ')}</p>
      </header>
      <Withheld history={history} />
      <section className="card">
        <h2>{published.history}</h2>
        <Steps history={history} />
      </section>
      <section className="card">
        <h2>{published.people}</h2>
        <People history={history} />
      </section>
      <Credits history={history} />
      <section className="card">
        <h2>{published.proof}</h2>
        <ProofCheck history={history} />
      </section>
      <section className="card">
        <h2>{published.compare}</h2>
        <CompareFile history={history} />
      </section>
      <Facts history={history} />
      <Embed id={history.id} />
    </article>
  );
}

function Withheld({ history: { withheld, hidden } }: { history: PublishedHistory }) {
  if (withheld.length === 0 && hidden === 0) return null;
  const things = withheld.map((one) => published.withholdable[one]).join(', ');
  return (
    <Notice kind="info" title={published.withheldTitle}>
      {things === '' ? null : <p>{published.withheld(things)}</p>}
      {hidden === 0 ? null : <p>{published.hidden(hidden)}</p>}
    </Notice>
  );
}

function Facts({ history }: { history: PublishedHistory }) {
  const { facts, cid, contents, publishedAt, expiresAt } = history;
  const size = facts.size === undefined ? undefined : `${facts.size.toLocaleString('en')} bytes`;
  const rows: [string, string | undefined][] = [
    [published.contentTitle, contents.find((content) => content.cid === cid)?.title],
    [published.kind, [facts.type, facts.mimeType].filter(Boolean).join(', ')],
    [published.size, size],
    [published.published, formatDay(publishedAt)],
    [published.expires, expiresAt === null ? undefined : new Date(expiresAt).toLocaleString('en-GB')],
  ];
  return (
    <section className="card">
      <h2>{published.facts}</h2>
      <dl className="public-facts">
        {rows.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
        <div>
          <dt>{published.cid}</dt>
          <dd>
            <CopyText text={cid} label={published.cid} />
          </dd>
        </div>
      </dl>
    </section>
  );
}
