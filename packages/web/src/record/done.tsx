import type { PublishedFacts } from '@colophon/model';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useMarkOffer } from '../marking/mark-button.js';
import { markingOf } from '../marking/marking-of.js';
import type { Marking } from '../marking/to-marking.js';
import { PublishButton } from '../publishing/publish-button.js';
import { factsOfContent } from '../shell/facts-of-content.js';
import { Link } from '../shell/navigation.js';
import { useClient } from '../shell/project.js';
import { saveFile } from '../shell/save-file.js';
import { sayError } from '../shell/say-error.js';
import { nameContent, shortCid } from '../shell/short-labels.js';
import { useLoaded } from '../shell/use-loaded.js';
import { useTitles } from '../shell/use-titles.js';
import { aiLevels } from '../strings/ai-levels.js';
import { marking as marks } from '../strings/marking.js';
import { record } from '../strings/record.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { Notice } from '../ui/notice.js';
import { Thumbnail } from '../ui/thumbnail.js';
import type { Change } from './list-changes.js';
import { READ_PART } from './use-ai-sources.js';
import type { Recorded, SourceTitles } from './use-recording.js';

const text = record.done;

export function Done({
  result,
  title,
  says,
  changes,
  hasAiSources,
  sources,
  marking,
  onAgain,
}: {
  result: Recorded;
  /** Empty without a title. */
  title: string;
  /** A sentence without a full stop. */
  says: string;
  /** Undefined if the record corrects no entry. */
  changes: readonly Change[] | undefined;
  /** A source of a new file has AI, while the entry of the file has none. */
  hasAiSources: boolean;
  sources: SourceTitles;
  /** Undefined if the page offers no marked copy. */
  marking: Marking | undefined;
  onAgain: () => void;
}) {
  const { cid, actionId, isStep, similar } = result;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const ofStep = useFileOfStep(result);
  const markOffer = useMarkOffer(isStep ? ofStep?.marking : marking);
  const isOfSources = isStep ? ofStep?.level === 'sources' : hasAiSources;
  return (
    <section className="card">
      <h1 ref={heading} tabIndex={-1}>
        {changes !== undefined ? text.corrected : isStep ? text.added : text.title}
      </h1>
      <Content cid={cid} title={isStep ? '' : title} />
      <p>{text.says(says)}</p>
      {changes === undefined ? null : <Changes changes={changes} />}
      <p>{sayStored({ isCorrection: changes !== undefined, isStep, title })}</p>
      {isOfSources ? <Notice kind="info">{marks.sourcesOnly(aiLevels.sources)}</Notice> : null}
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

interface FileOfStep {
  level: PublishedFacts['ai'] | undefined;
  marking: Marking | undefined;
}

/** Reads the history of a file with a further step, because the earlier steps count too. Undefined for a new file. */
function useFileOfStep({ cid, isStep }: Recorded): FileOfStep | undefined {
  const client = useClient();
  const load = useCallback(async () => {
    if (!isStep) return undefined;
    const [bundle, titles] = await Promise.all([
      client.histories.bundle(cid, READ_PART),
      client.resources.titles([cid]),
    ]);
    return {
      level: factsOfContent(bundle, bundle.cid)?.ai,
      marking: markingOf(client, bundle, { cid: bundle.cid, title: titles[cid] ?? '' }),
    };
  }, [client, cid, isStep]);
  return useLoaded(load).value;
}

function sayStored({
  isCorrection,
  isStep,
  title,
}: {
  isCorrection: boolean;
  isStep: boolean;
  title: string;
}): string {
  if (isCorrection) return text.correctedMeans;
  if (isStep) return text.addedMeans;
  return title === '' ? text.stored : text.storedAs(title);
}

function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <p>{text.unchanged}</p>;
  return (
    <>
      <p>{text.changed(changes.length)}</p>
      <ul className="plain">
        {changes.map(({ name, before, after }) => (
          <li key={name}>{text.change(name, before, after)}</li>
        ))}
      </ul>
    </>
  );
}

/** The title of an existing record can differ from the sent title. */
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
