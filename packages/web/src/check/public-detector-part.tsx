import type { Detection, DetectionCheck, DetectionLayer } from '@colophon/model';
import { useEffect, useState } from 'react';
import { formatSize } from '../languages/formats.js';
import { joinNames } from '../strings/describe-facts.js';
import { detector as text } from '../strings/detector.js';
import { factTexts } from '../strings/facts.js';
import { Button } from '../ui/button.js';
import { FactRow } from '../ui/fact-row.js';
import { Instant } from '../ui/instant.js';
import { Notice } from '../ui/notice.js';
import { Progress } from '../ui/progress.js';
import { isAboutOther, sayLayer, sayMeaning, sayReason, sayResult } from './say-detection.js';
import type { Detector } from './use-detector.js';

const REPORT_NAME = 'detection-report.json';

interface PublicDetectorProps {
  file: File;
  detector: Detector;
  isMember: boolean;
  isInVerdict: boolean;
}

/** Shows nothing when the service has no detector. */
export function PublicDetectorPart({ file, detector, ...props }: PublicDetectorProps) {
  const { maxBytes, isOffered } = detector;
  if (maxBytes === undefined) return null;
  return (
    <section className="card wide" data-search>
      <h3>{text.title}</h3>
      {isOffered ? (
        <Asking {...detector} {...props} />
      ) : (
        <p>{text.tooLarge(formatSize(file.size), formatSize(maxBytes))}</p>
      )}
    </section>
  );
}

/** Sends the file only after a click on the button. */
function Asking({
  detection,
  share,
  fault,
  ask,
  isMember,
  isInVerdict,
}: Detector & Pick<PublicDetectorProps, 'isMember' | 'isInVerdict'>) {
  const isFirst = detection === undefined;
  const offered = isMember ? text.askMember : text.ask;
  return (
    <>
      {isFirst ? <p>{text.offer}</p> : null}
      <div role="status" className="stack">
        {isFirst ? null : <Detected detection={detection} isInVerdict={isInVerdict} />}
      </div>
      {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
      {share === undefined ? (
        <div className="row">
          <Button kind={isFirst && !isMember ? 'primary' : 'plain'} onClick={ask}>
            {isFirst ? offered : text.again}
          </Button>
        </div>
      ) : (
        <Progress label={share < 1 ? text.sending : text.waiting} share={share < 1 ? share : undefined} />
      )}
    </>
  );
}

function Detected({
  detection: { layers, checks, report },
  isInVerdict,
}: { detection: Detection } & Pick<PublicDetectorProps, 'isInVerdict'>) {
  return (
    <>
      {isInVerdict ? null : (
        <p>
          <strong>{sayResult(layers)}</strong>
        </p>
      )}
      {layers.length === 0 ? null : (
        <ul className="plain stack" aria-label={text.found}>
          {layers.map((layer) => (
            <li key={`${layer.kind} ${layer.publication?.id}`} className="stack">
              <Layer layer={layer} layers={layers} />
            </li>
          ))}
        </ul>
      )}
      {checks.filter(isUnchecked).map((check) => (
        <p key={check.kind} className="quiet">
          {text.unchecked(text.kinds[check.kind])} <Reason check={check} />
        </p>
      ))}
      {report === null ? <p className="quiet">{text.noReport}</p> : <Report report={report} />}
    </>
  );
}

const isUnchecked = ({ state }: DetectionCheck) => state === 'unavailable';

function Reason({ check }: { check: DetectionCheck }) {
  const { text: reason, isEnglish } = sayReason(check);
  return isEnglish ? <span lang="en">{reason}</span> : reason;
}

/** The heading names the confidence, as the signed report does. */
function Layer({ layer, layers }: { layer: DetectionLayer; layers: readonly DetectionLayer[] }) {
  const { kind, confidence, publication } = layer;
  const meaning = sayMeaning(layer);
  return (
    <>
      <h4>
        {text.kinds[kind]} ({text.confidence[confidence]})
      </h4>
      <p>{sayLayer(layer, layers)}</p>
      {meaning === undefined ? null : <p className="quiet">{meaning}</p>}
      {isAboutOther(layer) ? <p className="quiet">{text.ofPublished}</p> : null}
      <LayerFacts layer={layer} />
      {publication === undefined ? null : (
        <p>
          <a href={publication.path}>{text.history(publication.title)}</a>
        </p>
      )}
    </>
  );
}

function LayerFacts({ layer }: { layer: DetectionLayer }) {
  const { makers = [], furtherMakers, tool, signedBy, recordedAt } = layer;
  const names = makers.map(({ name, role }) => name ?? text.unnamed(sayRole(role)));
  const facts = [
    [text.makers, joinNames(names, furtherMakers)],
    [text.tool, tool ?? ''],
    [text.signedBy, signedBy ?? ''],
  ] as const;
  const shown = facts.filter(([, value]) => value !== '');
  if (shown.length === 0 && recordedAt === undefined) return null;
  return (
    <dl className="facts">
      {shown.map(([label, value]) => (
        <FactRow key={label} name={label} value={value} />
      ))}
      {recordedAt === undefined ? null : (
        <FactRow name={text.recordedAt} value={<Instant at={recordedAt} />} />
      )}
    </dl>
  );
}

function sayRole(role: string): string {
  const { roles } = factTexts;
  return role in roles ? roles[role as keyof typeof roles] : roles.other;
}

/** The address is valid while the link is shown. */
function Report({ report }: { report: NonNullable<Detection['report']> }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(
      new Blob([`${JSON.stringify(report, null, 2)}\n`], { type: 'application/json' }),
    );
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [report]);
  if (address === undefined) return null;
  return (
    <p>
      <a href={address} download={REPORT_NAME}>
        {text.report}
      </a>
    </p>
  );
}
