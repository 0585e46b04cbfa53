import {
  type Bundle,
  correctedActions,
  orderActions,
  type PublicCheck,
  type PublishedFacts,
} from '@colophon/model';
import type { FileVerdict } from '@colophon/sdk';
import { nameAction, nameFiles } from '../shell/name-action.js';
import { Link } from '../shell/navigation.js';
import { useProject } from '../shell/project.js';
import { useTitlesOf } from '../shell/use-titles.js';
import { check } from '../strings/check.js';
import { describeOrigin, nameMaker, nameStatement } from '../strings/describe-facts.js';
import { history } from '../strings/history.js';
import { Instant } from '../ui/instant.js';
import { RecordLine } from '../ui/record-line.js';
import type { Findings } from './findings.js';
import { OpenForCheck } from './open-for-check.js';
import { isPublished } from './say-detection.js';

const text = check.recorded;
const SHOWN_STEPS = 12;

export function RecordsPart({
  findings: { recorded, publicly, detection },
  isFailed,
}: {
  findings: Findings;
  isFailed: boolean;
}) {
  return (
    <section className="card">
      <h3>{text.title}</h3>
      {recorded === undefined ? <p className="quiet">{isFailed ? text.notAsked : check.asking}</p> : null}
      {recorded === null ? <PublicMatches publicly={publicly} isPublished={isPublished(detection)} /> : null}
      {recorded ? <Recorded verdict={recorded} /> : null}
    </section>
  );
}

/** `isPublished`: the detector found exactly this file, so the page does not say that no project has a record of it. */
function PublicMatches({
  publicly,
  isPublished: isDetected,
}: {
  publicly: PublicCheck | undefined;
  isPublished: boolean;
}) {
  const matches = publicly?.matches ?? [];
  const noMatch = isDetected ? text.inProject : `${text.noKey} ${text.inProject}`;
  return (
    <>
      {matches.map((facts) => (
        <div key={JSON.stringify(facts)} className="stack">
          <p>{sayOrigin(facts)}</p>
          <RecordLine facts={facts} />
        </div>
      ))}
      <p>
        {matches.length === 0 ? noMatch : text.noKeyMore} <OpenForCheck />
      </p>
    </>
  );
}

/** If the only maker states that no AI was used, names this maker only once. */
function sayOrigin(facts: PublishedFacts): string {
  const { ai, act = 'made', makers, withoutAiBy, sourceMakers = [] } = facts;
  const [only, ...others] = [...new Set(makers.map(nameMaker))];
  const isPlain = ai === 'human' && act === 'made' && others.length === 0 && sourceMakers.length === 0;
  const isSame = withoutAiBy !== undefined && nameMaker(withoutAiBy) === only;
  return isPlain && isSame ? `${nameStatement(facts)}.` : describeOrigin(facts);
}

function Recorded({ verdict }: { verdict: FileVerdict }) {
  if (!verdict.verified && verdict.reason === 'notRecorded') {
    return (
      <>
        <p>{text.no}</p>
        <p>
          <Link to={`/record?cid=${verdict.cid}`}>{text.record}</Link>
        </p>
      </>
    );
  }
  return (
    <>
      <Steps bundle={verdict.bundle} />
      <p className="row">
        <Link to={`/explore/${verdict.cid}`}>{text.history}</Link>
        <Link to={`/shares/${verdict.cid}`}>{text.shares}</Link>
      </p>
      {verdict.verified && verdict.report.verified ? (
        <details>
          <summary>{text.proof}</summary>
          <p>{text.proven(verdict.report.leafIndex, verdict.report.size)}</p>
          {verdict.trust === 'service' ? <p>{text.trust}</p> : null}
        </details>
      ) : null}
    </>
  );
}

/** Newest first. `own`: the words for the content of the bundle. */
export function Steps({ bundle, own = history.thisFile }: { bundle: Bundle; own?: string }) {
  const { actions, aliases, complete } = bundle;
  const { titles, fault } = useTitlesOf(useProject().client, bundle);
  const corrected = correctedActions(actions, aliases);
  const shown = orderActions(actions, aliases).slice(-SHOWN_STEPS).reverse();
  return (
    <>
      <ol className="steps" reversed>
        {shown.map((action) => (
          <li key={action.id}>
            {nameAction(action, bundle, nameFiles(action, bundle, { own, titles }))}
            {corrected.has(action.id) ? <span className="quiet">{history.corrected}</span> : null}
            <span className="quiet">
              <Instant at={action.timestamp} />
            </span>
          </li>
        ))}
      </ol>
      {actions.length > shown.length ? (
        <p className="quiet">{text.earlier(actions.length - shown.length)}</p>
      ) : null}
      {complete ? null : <p className="quiet">{text.partial}</p>}
      {fault === undefined ? null : <p className="quiet">{fault}</p>}
    </>
  );
}
