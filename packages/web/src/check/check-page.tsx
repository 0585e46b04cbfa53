import { useCallback, useEffect, useState } from 'react';
import { formatSize } from '../languages/formats.js';
import { useKeptFiles } from '../shell/kept-files.js';
import { navigate, usePath, useQueryValue } from '../shell/navigation.js';
import { useProject } from '../shell/project.js';
import { useFilesAnywhere } from '../shell/use-files-anywhere.js';
import { useTabTitle } from '../shell/use-tab-title.js';
import { check } from '../strings/check.js';
import { detector as detectorText } from '../strings/detector.js';
import { CopyText } from '../ui/copy-text.js';
import { FileDrop } from '../ui/file-drop.js';
import { type ComparedFile, Comparison } from './comparison.js';
import { CredentialsPart } from './credentials-part.js';
import { type Findings, headlineOf } from './findings.js';
import { IngredientTree } from './ingredient-tree.js';
import { Landing } from './landing.js';
import { MatchesPart } from './matches-part.js';
import { PublicDetectorPart } from './public-detector-part.js';
import { RecordsPart } from './records-part.js';
import { sayNext } from './say-credentials.js';
import { ServiceOffer, ServicePart } from './service-part.js';
import { type CheckedFile, useCheckedFile } from './use-checked-file.js';
import { sayWatermarks, searchOf } from './use-detector.js';
import { useFindings } from './use-findings.js';
import { VerdictCard } from './verdict-card.js';
import './check.css';

/** The chosen file, and a second file to compare. `count` differs for each choice. */
interface Choice {
  file: File;
  second: File | undefined;
  count: number;
  /** Undefined until the browser has read the file. */
  cid?: string;
}

/** The query `?cid=` names the file, so that Back returns to an earlier check. */
export function CheckPage() {
  const cid = useQueryValue('cid');
  const path = usePath();
  const kept = useKeptFiles();
  const [choice, setChoice] = useState<Choice>();
  const take = useCallback(([file, second]: File[]) => {
    if (file !== undefined) setChoice((before) => ({ file, second, count: (before?.count ?? 0) + 1 }));
  }, []);
  useFilesAnywhere(take);
  const found = useCallback(
    (file: File, own: string) => {
      kept.keep(own, file);
      setChoice((now) => (now?.file === file ? { ...now, cid: own } : now));
      if (new URLSearchParams(window.location.search).get('cid') !== own) navigate(`${path}?cid=${own}`);
    },
    [kept, path],
  );
  // After Back, the address can name a file other than the chosen one.
  const isChosen = choice !== undefined && (choice.cid === undefined || choice.cid === cid);
  const file = isChosen ? choice.file : kept.get(cid ?? '');
  return (
    <>
      <div className="stack">
        <h1>{check.title}</h1>
        <p className="quiet">{check.lead}</p>
      </div>
      <FileDrop title={check.drop} hint={<Hint />} onFiles={take} isMultiple />
      {file !== undefined ? (
        <Result
          key={isChosen ? choice.count : cid}
          file={file}
          second={isChosen ? choice.second : undefined}
          onFound={found}
        />
      ) : null}
      {file === undefined && cid !== undefined ? <Known key={cid} cid={cid} /> : null}
      {file === undefined && cid === undefined ? <Landing onFile={(one) => take([one])} /> : null}
    </>
  );
}

function Hint() {
  return (
    <>
      {check.stays} {check.dropHint}
    </>
  );
}

function Result({
  file,
  second,
  onFound,
}: {
  file: File;
  second: File | undefined;
  onFound: (file: File, cid: string) => void;
}) {
  const { client } = useProject();
  const { findings, share, fault, checked, detector, titles } = useCheckedFile(file, client);
  const service = checked.findings;
  const watermarks = sayWatermarks(detector);
  const search =
    client === undefined
      ? searchOf(detector)
      : { start: checked.ask, share: checked.share, isSending: true, watermarks };
  const compared = { file, findings, share, fault, search };
  const isVisitor = client === undefined;
  const sendingPart = isVisitor && detector.isOffered ? detectorText.title : check.service.title;
  const cid = findings.digests?.cid;
  const read = findings.examined?.kind === 'unchanged' ? findings.examined : undefined;
  const manifest = service?.extraction?.manifest ?? read?.manifest;
  useTabTitle(file.name);
  useEffect(() => {
    if (cid !== undefined) onFound(file, cid);
  }, [file, cid, onFound]);
  return (
    <section className="result" aria-label={file.name}>
      {second === undefined ? (
        <Verdict of={compared} />
      ) : (
        <Compared first={compared} {...{ second, sendingPart }} />
      )}
      <div className="result-parts">
        <RecordsPart findings={findings} isFailed={fault !== undefined} />
        <CredentialsPart
          examined={findings.examined}
          extraction={service?.extraction}
          next={sayNext(detector, isVisitor)}
        />
        {manifest === undefined ? null : <IngredientTree manifest={manifest} thumbnails={read?.thumbnails} />}
        <SendingParts {...{ file, findings, checked, detector }} isMember={!isVisitor} />
        {service === undefined ? null : <MatchesPart {...{ file, cid, titles }} search={service.search} />}
      </div>
      {second === undefined ? <Comparison first={compared} {...{ second, sendingPart }} /> : null}
      <Ids findings={findings} />
    </section>
  );
}

/** A visitor sees the public detector first, because the check with the service needs a project. */
function SendingParts({
  file,
  findings,
  checked,
  detector,
  isMember,
}: Pick<CheckedFile, 'findings' | 'checked' | 'detector'> & { file: File; isMember: boolean }) {
  const headline = headlineOf(findings);
  const hasDetector = detector.isOffered;
  const isInVerdict = headline?.isDetected === true;
  const publicDetector = <PublicDetectorPart {...{ file, detector, isMember, isInVerdict }} />;
  if (!isMember)
    return (
      <>
        {publicDetector}
        <ServiceOffer hasDetector={hasDetector} />
      </>
    );
  return (
    <>
      <ServicePart
        cid={findings.digests?.cid}
        service={checked}
        isInVerdict={headline?.kind === 'warning'}
        isSearchAbove={headline?.isExactOnly === true}
        watermarks={sayWatermarks(detector)}
        hasDetector={hasDetector}
      />
      {publicDetector}
    </>
  );
}

function Verdict({ of: { file, findings, share, fault, search } }: { of: ComparedFile }) {
  return (
    <VerdictCard
      file={file}
      title={
        <div>
          <h2>{file.name}</h2>
          <p className="quiet">{formatSize(file.size)}</p>
        </div>
      }
      findings={findings}
      progress={share}
      fault={fault}
      search={search}
    />
  );
}

/** The heading names the first file, because all parts below are about this file. */
function Compared(props: { first: ComparedFile; second: File; sendingPart: string }) {
  const { first } = props;
  return (
    <>
      <Comparison {...props} />
      <h2>{check.compare.more(first.file.name)}</h2>
    </>
  );
}

/** Shows the records of a file that this tab no longer has. */
function Known({ cid }: { cid: string }) {
  const { client } = useProject();
  const { findings, share, fault } = useFindings({ cid }, client);
  return (
    <section className="result" aria-label={check.known.title}>
      <VerdictCard
        file={undefined}
        title={
          <div>
            <h2>{check.known.title}</h2>
            <p className="quiet">{check.known.why}</p>
          </div>
        }
        findings={findings}
        progress={share}
        fault={fault}
      >
        <CopyText text={cid} label={check.cid} />
      </VerdictCard>
      <div className="result-parts">
        <RecordsPart findings={findings} isFailed={fault !== undefined} />
      </div>
    </section>
  );
}

function Ids({ findings: { digests } }: { findings: Findings }) {
  if (digests === undefined) return null;
  return (
    <details>
      <summary>{check.details}</summary>
      <dl className="facts">
        <dt>{check.cid}</dt>
        <dd>
          <CopyText text={digests.cid} label={check.cid} />
        </dd>
        <dt>{check.digest}</dt>
        <dd>
          <CopyText text={digests.contentDigest} label={check.digest} />
        </dd>
      </dl>
    </details>
  );
}
