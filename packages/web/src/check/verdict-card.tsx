import type { ReactNode } from 'react';
import { check } from '../strings/check.js';
import { detector } from '../strings/detector.js';
import { AiIcon, AiLabel } from '../ui/ai-label.js';
import { Button } from '../ui/button.js';
import { FactRow } from '../ui/fact-row.js';
import { Instant } from '../ui/instant.js';
import { Notice } from '../ui/notice.js';
import { Progress } from '../ui/progress.js';
import { type Findings, headlineOf, publicationsOf } from './findings.js';
import { OwnPicture } from './pictures.js';
import { collectFacts, kindOfVerdict } from './verdict-facts.js';

const text = check.verdict;

export interface Search {
  start: () => void;
  /** From 0 to 1; undefined while no search runs. */
  share: number | undefined;
  /** If false, `start` only moves the focus to another part of the page. */
  isSending: boolean;
  watermarks?: string | undefined;
}

export function VerdictCard({
  file,
  title,
  findings,
  progress,
  fault,
  search,
  children,
}: {
  /** Undefined when the page knows only the content id. */
  file: File | undefined;
  title: ReactNode;
  findings: Findings;
  /** From 0 to 1. */
  progress: number;
  fault: string | undefined;
  search?: Search | undefined;
  children?: ReactNode;
}) {
  const { ai, level, means, source, act, maker, marker, signer, at } = collectFacts(findings);
  const headline = headlineOf(findings);
  // The unread Content Credentials can state the use of AI.
  const saysNothing = file === undefined && headline?.kind === 'warning';
  // A headline from the detector can state the level of content that the file only resembles, so the card shows no
  // “unstated”.
  const isSaid = headline?.isDetected === true && ai === 'unstated' && means === undefined;
  const isPicture = file?.type.startsWith('image/') ?? false;
  return (
    <div className="card verdict">
      {file === undefined ? null : (
        <div className="verdict-picture">
          <OwnPicture file={file} />
          <span className="verdict-overlay">
            <AiIcon ai={ai} />
          </span>
        </div>
      )}
      <div className="stack">
        {title}
        {file !== undefined && findings.digests === undefined ? (
          <Progress label={check.reading} share={progress} />
        ) : null}
        <div role="status" className="answer stack">
          {headline === undefined ? (
            <Waiting findings={findings} isReading={file !== undefined} isFailed={fault !== undefined} />
          ) : (
            <Notice kind={kindOfVerdict(headline, ai)} title={headline.text}>
              {headline.more === undefined ? null : <p>{headline.more}</p>}
              {headline.isExactOnly && search !== undefined ? <SearchButton {...search} /> : null}
            </Notice>
          )}
          {headline === undefined || headline.kind === 'danger' || saysNothing || isSaid ? null : (
            <AiLabel ai={ai} words={level} isBesidePicture={isPicture} {...{ source, means }} />
          )}
        </div>
        <dl className="facts">
          <FactRow name={text.makers[act]} value={maker} />
          <FactRow name={text.makers.marked} value={marker} />
          <FactRow name={text.signer} value={signer} />
          <FactRow name={text.at} value={at === undefined ? undefined : <Instant at={at} />} />
        </dl>
        {publicationsOf(findings).map(({ path, title: name }) => (
          <p key={path}>
            <a href={path}>{detector.history(name)}</a>
          </p>
        ))}
        {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
        {children}
      </div>
    </div>
  );
}

function SearchButton({ start, share, isSending, watermarks }: Search) {
  if (share !== undefined) return <Progress label={check.service.sending} share={share} />;
  return (
    <>
      {isSending ? <p>{check.service.searchSends}</p> : null}
      {watermarks === undefined ? null : <p>{watermarks}</p>}
      <div className="row">
        <Button kind="primary" onClick={start}>
          {check.service.search}
        </Button>
      </div>
    </>
  );
}

function Waiting({
  findings,
  isReading,
  isFailed,
}: {
  findings: Findings;
  isReading: boolean;
  isFailed: boolean;
}) {
  if ((isReading && findings.digests === undefined) || isFailed) return null;
  return <p className="quiet">{findings.recorded === undefined ? check.asking : check.examining}</p>;
}
