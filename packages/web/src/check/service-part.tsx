import { check } from '../strings/check.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { Progress } from '../ui/progress.js';
import type { ServiceFindings } from './findings.js';
import { OpenForCheck } from './open-for-check.js';
import { sayMatches } from './say-matches.js';
import type { ServiceCheck } from './use-service-check.js';

const text = check.service;

/**
 * Explains to a visitor without a project how to send the file to the service. `hasDetector`: the page also offers the
 * public detector, which needs no project.
 */
export function ServiceOffer({ hasDetector }: { hasDetector: boolean }) {
  return (
    <section className="card wide" data-search>
      <h3>{text.title}</h3>
      <p>
        {hasDetector ? text.besideDetector : text.needsProject} <OpenForCheck />
      </p>
    </section>
  );
}

/** Describes the result for the Content Credentials. If there are none, says what this means. */
export function sayFinding({ extraction }: ServiceFindings): string {
  if (extraction === null) return `${text.unsupported} ${text.noneMeans}`;
  const state = extraction.validation?.state;
  return state === undefined ? `${text.none} ${text.noneMeans}` : `${text.states[state]}.`;
}

/**
 * Sends the file to the service only after a click on the button. `isInVerdict`: the verdict already describes the
 * result of the search for similar content. `hasDetector`: the page also offers the public detector.
 */
export function ServicePart({
  cid,
  service: { findings, share, fault, ask },
  isInVerdict,
  hasDetector,
}: {
  /** The content id of the file; undefined until the browser has computed it. */
  cid: string | undefined;
  service: ServiceCheck;
  isInVerdict: boolean;
  hasDetector: boolean;
}) {
  return (
    <section className="card wide" data-search>
      <h3>{text.title}</h3>
      {findings === undefined ? (
        <p>{text.offer}</p>
      ) : (
        <>
          <p>
            {text.answered} {hasDetector ? text.detectorBelow : ''}
          </p>
          <p>{sayFinding(findings)}</p>
          {isInVerdict ? null : <p>{sayMatches(findings.search, cid)}</p>}
        </>
      )}
      {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
      {share === undefined ? (
        <div className="row">
          <Button kind={findings === undefined && !isInVerdict ? 'primary' : 'plain'} onClick={ask}>
            {findings === undefined ? text.ask : text.again}
          </Button>
        </div>
      ) : (
        <Progress label={text.sending} share={share} />
      )}
    </section>
  );
}
