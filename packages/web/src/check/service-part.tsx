import { check } from '../strings/check.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { Progress } from '../ui/progress.js';
import type { ServiceFindings } from './findings.js';
import { OpenForCheck } from './open-for-check.js';
import { sayMatches } from './say-matches.js';
import type { ServiceCheck } from './use-service-check.js';

const text = check.service;

/** `hasDetector`: the page also offers the public detector, which needs no project. */
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

export function sayFinding({ extraction }: ServiceFindings): string {
  if (extraction === null) return `${text.unsupported} ${text.noneMeans}`;
  const state = extraction.validation?.state;
  return state === undefined ? `${text.none} ${text.noneMeans}` : `${text.states[state]}.`;
}

/**
 * Sends the file only after a click on the button. `isInVerdict`: the verdict already describes the similar content.
 */
export function ServicePart({
  cid,
  service: { findings, share, fault, ask },
  isInVerdict,
  isSearchAbove,
  watermarks,
  hasDetector,
}: {
  /** Undefined until the browser has computed it. */
  cid: string | undefined;
  service: ServiceCheck;
  isInVerdict: boolean;
  /** The button that starts this check is in the verdict above, not in this part. */
  isSearchAbove: boolean;
  /** Says how to look for watermarks. */
  watermarks: string | undefined;
  hasDetector: boolean;
}) {
  return (
    <section className="card wide" data-search>
      <h3>{text.title}</h3>
      {findings === undefined ? (
        <>
          <p>{text.offer}</p>
          {isSearchAbove ? <p>{text.above(text.search)}</p> : null}
          {isSearchAbove || watermarks === undefined ? null : <p>{watermarks}</p>}
        </>
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
      {isSearchAbove ? null : (
        <Sending
          share={share}
          kind={findings === undefined && !isInVerdict ? 'primary' : 'plain'}
          onAsk={ask}
        >
          {findings === undefined ? text.ask : text.again}
        </Sending>
      )}
    </section>
  );
}

function Sending({
  share,
  kind,
  onAsk,
  children,
}: {
  share: number | undefined;
  kind: 'primary' | 'plain';
  onAsk: () => void;
  children: string;
}) {
  if (share !== undefined) return <Progress label={text.sending} share={share} />;
  return (
    <div className="row">
      <Button kind={kind} onClick={onAsk}>
        {children}
      </Button>
    </div>
  );
}
