import { useEffect, useMemo, useRef, useState } from 'react';
import { useMarkOffer } from '../marking/mark-button.js';
import type { Marking } from '../marking/to-marking.js';
import { PublishButton } from '../publishing/publish-button.js';
import { Link } from '../shell/navigation.js';
import { useClient } from '../shell/project.js';
import { saveFile } from '../shell/save-file.js';
import { sayError } from '../shell/say-error.js';
import { nameContent, shortCid } from '../shell/short-labels.js';
import { useTitles } from '../shell/use-titles.js';
import { record } from '../strings/record.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { Notice } from '../ui/notice.js';
import { Thumbnail } from '../ui/thumbnail.js';
import type { AddedStep, Recorded, SourceTitles } from './use-recording.js';

const text = record.done;

export function Done({
  result: { cid, actionId, step, similar },
  title,
  sources,
  marking,
  onAgain,
}: {
  result: Recorded;
  /** The title that the page sent; empty without a title. */
  title: string;
  sources: SourceTitles;
  /** The data of a marked copy; undefined if the page offers none. */
  marking: Marking | undefined;
  onAgain: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const markOffer = useMarkOffer(marking);
  return (
    <section className="card">
      <h1 ref={heading} tabIndex={-1}>
        {step === undefined ? text.title : sayAdded(step)}
      </h1>
      <Content cid={cid} title={step === undefined ? title : ''} />
      <p>{step === undefined ? sayStored(title) : sayMeaning(step)}</p>
      <SourcesTitled {...sources} />
      {similar.length === 0 ? null : <Similar cids={similar} />}
      <div className="row">
        <Link className="button primary" to={`/explore/${cid}`}>
          {text.history}
        </Link>
        <PublishButton cid={cid} markOffer={markOffer} />
        {markOffer?.button}
        <Button onClick={onAgain}>{text.again}</Button>
      </div>
      <p>
        <Link to={`/shares/${cid}`}>{text.shares}</Link>
      </p>
      <h2>{text.receiptTitle}</h2>
      <p className="quiet">{text.receiptMeans}</p>
      <div className="row">
        <ReceiptButton actionId={actionId} />
      </div>
      <p className="quiet">
        {text.contentId}: <CopyText text={cid} label={text.contentId} />
      </p>
    </section>
  );
}

function sayAdded({ isCorrection, files }: AddedStep): string {
  return isCorrection ? text.corrected(files) : text.added(files);
}

function sayMeaning({ isCorrection }: AddedStep): string {
  return isCorrection ? text.correctedMeans : text.addedMeans;
}

function sayStored(title: string): string {
  return title === '' ? text.stored : text.storedAs(title);
}

/** The picture and the title of the content. The title of an existing record can differ from the sent title. */
export function Content({ cid, title }: { cid: string; title: string }) {
  const { titles } = useTitles(
    useClient(),
    useMemo(() => [cid], [cid]),
  );
  return (
    <p className="recorded">
      <Thumbnail cid={cid} title="" />
      <strong>{titles[cid] ?? (title === '' ? shortCid(cid) : title)}</strong>
    </p>
  );
}

function SourcesTitled({ count, fault }: SourceTitles) {
  return (
    <div role="status">
      {count === 0 ? null : <p>{text.sourcesTitled(count)}</p>}
      {fault === undefined ? null : <p className="fault">{text.sourcesUntitled(fault)}</p>}
    </div>
  );
}

/** Maximum number of similar contents with a link. */
const MAX_SIMILAR = 6;

function Similar({ cids }: { cids: readonly string[] }) {
  const shown = useMemo(() => cids.slice(0, MAX_SIMILAR), [cids]);
  const { titles } = useTitles(useClient(), shown);
  return (
    <Notice kind="info" title={text.similar(cids.length)}>
      <ul className="bare pictured">
        {shown.map((cid) => (
          <li key={cid}>
            <Thumbnail cid={cid} title="" />
            <Link to={`/explore/${cid}`}>{nameContent(cid, titles)}</Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function ReceiptButton({ actionId }: { actionId: string }) {
  const client = useClient();
  const [fault, setFault] = useState<string>();
  const download = async () => {
    try {
      const receipt = await client.receipts.get('action', actionId);
      const json = JSON.stringify(receipt, null, 2);
      saveFile(new Blob([json], { type: 'application/json' }), `receipt-${actionId}.json`);
    } catch (error) {
      setFault(sayError(error));
    }
  };
  return (
    <>
      <Button onClick={download}>{text.receipt}</Button>
      {fault === undefined ? null : <p className="fault">{fault}</p>}
    </>
  );
}
