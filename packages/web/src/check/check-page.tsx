import { useState } from 'react';
import { useProject } from '../shell/project.js';
import { check } from '../strings/check.js';
import { CopyText } from '../ui/copy-text.js';
import { FileDrop } from '../ui/file-drop.js';
import { formatSize } from '../ui/format-size.js';
import { Notice } from '../ui/notice.js';
import { Progress } from '../ui/progress.js';
import { CredentialsPart } from './credentials-part.js';
import { type Findings, headlineOf, type ServiceFindings } from './findings.js';
import { MatchesPart } from './matches-part.js';
import { OwnPicture } from './pictures.js';
import { PublicDetectorPart } from './public-detector-part.js';
import { RecordsPart } from './records-part.js';
import { ServicePart } from './service-part.js';
import { useFindings } from './use-findings.js';
import './check.css';

export function CheckPage() {
  const [dropped, setDropped] = useState<{ file: File; count: number }>();
  const take = ([file]: File[]) => {
    if (file !== undefined) setDropped((before) => ({ file, count: (before?.count ?? 0) + 1 }));
  };
  return (
    <>
      <div className="stack">
        <h1>{check.title}</h1>
        <p className="quiet">{check.lead}</p>
      </div>
      <FileDrop title={check.drop} hint={check.stays} onFiles={take} />
      {dropped === undefined ? null : <Result key={dropped.count} file={dropped.file} />}
    </>
  );
}

function Result({ file }: { file: File }) {
  const { client } = useProject();
  const { findings, share, fault } = useFindings(file, client);
  const [service, setService] = useState<ServiceFindings>();
  const all: Findings = service === undefined ? findings : { ...findings, service };
  return (
    <section className="result" aria-label={file.name}>
      <div className="result-head">
        <OwnPicture file={file} />
        <div className="stack">
          <h2>{file.name}</h2>
          <p className="quiet">{formatSize(file.size)}</p>
          <Answer findings={all} share={share} isFailed={fault !== undefined} />
          {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
        </div>
      </div>
      <div className="result-parts">
        <RecordsPart recorded={all.recorded} publicly={all.publicly} isFailed={fault !== undefined} />
        <CredentialsPart examined={all.examined} extraction={service?.extraction} />
        {client === undefined ? (
          <PublicDetectorPart file={file} />
        ) : (
          <ServicePart client={client} file={file} findings={service} onFindings={setService} />
        )}
        {service === undefined ? null : (
          <MatchesPart file={file} cid={all.digests?.cid} search={service.search} />
        )}
      </div>
      <Ids findings={all} />
    </section>
  );
}

function Answer({ findings, share, isFailed }: { findings: Findings; share: number; isFailed: boolean }) {
  const headline = headlineOf(findings);
  const waiting = findings.recorded === undefined ? check.asking : check.examining;
  const isWaiting = headline === undefined && findings.digests !== undefined && !isFailed;
  return (
    <>
      {findings.digests === undefined ? <Progress label={check.reading} share={share} /> : null}
      <div role="status" className="answer">
        {headline === undefined ? null : (
          <Notice kind={headline.kind} title={headline.text}>
            {headline.more === undefined ? null : <p>{headline.more}</p>}
          </Notice>
        )}
        {isWaiting ? <p className="quiet">{waiting}</p> : null}
      </div>
    </>
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
