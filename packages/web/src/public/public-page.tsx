import { listLicenses, type PublishedHistory } from '@colophon/model';
import { type ReactNode, Suspense, useState } from 'react';
import { formatSize } from '../languages/formats.js';
import { Embed } from '../publishing/embed.js';
import { lazyPart } from '../shell/lazy-part.js';
import { StopFault } from '../shell/stop-fault.js';
import type { StoryProps } from '../shell/story.js';
import { useTabTitle } from '../shell/use-tab-title.js';
import { describeMaking, nameLevel } from '../strings/describe-facts.js';
import { published } from '../strings/public.js';
import { AiIcon, AiLabel } from '../ui/ai-label.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { describeSource } from '../ui/describe-source.js';
import { Dialog } from '../ui/dialog.js';
import { Instant } from '../ui/instant.js';
import { Notice } from '../ui/notice.js';
import { RecordLine } from '../ui/record-line.js';
import { CompareFile } from './compare-file.js';
import { Credits } from './credits.js';
import { People, Steps } from './history-lists.js';
import { LineageStrip } from './lineage-strip.js';
import { nameHistory, nameType } from './name-person.js';
import { ProofResult, ProofTick } from './proof-check.js';
import { type ProofState, useProof } from './use-proof.js';
import { usePublished } from './use-published.js';
import './public.css';

const Certificate = lazyPart(async () => (await import('./certificate/certificate.js')).Certificate);

export function PublicPage({ values: { id = '' } }: StoryProps) {
  const state = usePublished(id);
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
  const title = nameHistory(history);
  const proof = useProof(history);
  useTabTitle(title);
  return (
    <article className="public stack">
      <Head history={history} title={title} proof={proof} />
      <LineageStrip history={history} />
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
      <section className="card" id="proof">
        <h2>{published.proof}</h2>
        <ProofResult history={history} state={proof} />
      </section>
      <section className="card">
        <h2>{published.compare}</h2>
        <CompareFile history={history} />
      </section>
      <Facts history={history} />
      <Embed id={history.id} facts={history.facts} />
    </article>
  );
}

interface HeadProps {
  history: PublishedHistory;
  title: string;
  proof: ProofState;
}

function Head({ history, title, proof }: HeadProps) {
  const { facts, picture } = history;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <header className={picture === undefined ? 'public-head' : 'public-head pictured'}>
      {picture === undefined ? null : (
        <figure>
          <img src={picture} alt={published.picture(title)} />
          <span className="public-overlay">
            <AiIcon ai={facts.ai} />
          </span>
        </figure>
      )}
      <div className="stack">
        <h1>{title}</h1>
        <AiLabel
          ai={facts.ai}
          words={nameLevel(facts)}
          isBesidePicture={picture !== undefined}
          source={describeSource(facts)}
        />
        <p className="public-lead">{describeMaking(facts)}</p>
        <RecordLine facts={facts} />
        <ProofTick state={proof} />
        <div className="row">
          <Button onClick={() => setIsOpen(true)}>{published.openCertificate}</Button>
        </div>
      </div>
      <Dialog title={published.certificate} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <StopFault>
          <Suspense fallback={<p className="quiet">{published.loading}</p>}>
            <Certificate history={history} title={title} proof={proof} />
          </Suspense>
        </StopFault>
      </Dialog>
    </header>
  );
}

function Withheld({ history: { withheld, hidden } }: { history: PublishedHistory }) {
  if (withheld.length === 0 && hidden === 0) return null;
  const things = withheld.map((one) => published.withholdable[one]).join(', ');
  return (
    <Notice kind="info" title={hidden === 0 ? published.settingsTitle : published.withheldTitle}>
      {things === '' ? null : <p>{published.withheld(things)}</p>}
      {hidden === 0 ? null : <p>{published.hidden(hidden)}</p>}
    </Notice>
  );
}

function Facts({ history }: { history: PublishedHistory }) {
  const { facts, cid, contents, publishedAt, expiresAt } = history;
  const size = facts.size === undefined ? undefined : formatSize(facts.size);
  const rows: [string, ReactNode][] = [
    [published.contentTitle, contents.find((content) => content.cid === cid)?.title],
    [published.kind, [nameType(facts.type), facts.mimeType].filter(Boolean).join(', ')],
    [published.size, size],
    [published.license, listLicenses(history).join(', ') || undefined],
    [published.published, <Instant key="published" at={publishedAt} />],
    [published.expires, expiresAt === null ? undefined : <Instant key="expires" at={expiresAt} />],
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
