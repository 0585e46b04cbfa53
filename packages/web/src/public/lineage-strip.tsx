import { listCurrentSteps, listMarkedForMaker, type PublishedHistory } from '@colophon/model';
import { published } from '../strings/public.js';
import { pickFromRows, toRows } from './lineage-rows.js';
import { namePeople, nameStepShort, sortSteps } from './name-person.js';

type PublishedStep = PublishedHistory['steps'][number];

const FIRST = 3;
const LAST = 4;

/** The steps in rows, oldest first. An arrow means that a step uses a content of its row or of the row above. */
export function LineageStrip({ history }: { history: PublishedHistory }) {
  const current = new Set(listCurrentSteps(history));
  const sorted = sortSteps(history);
  const steps = sorted.flatMap((step, place) => (current.has(step) ? [{ ...step, step, place }] : []));
  if (steps.length === 0) return null;
  const hidden = steps.length > FIRST + LAST + 1 ? steps.length - FIRST - LAST : 0;
  const isShown = (at: number) => hidden === 0 || at < FIRST || at >= FIRST + hidden;
  const rows = pickFromRows(toRows(steps), isShown);
  const afterGap = hidden === 0 ? undefined : rows.flatMap((row) => row.steps)[FIRST];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
    <section className="lineage" tabIndex={0} aria-label={published.lineage}>
      {rows.map(({ steps: inRow, isJoined }) => (
        <ol key={inRow[0]?.place} className={isJoined ? 'joined' : undefined}>
          {inRow.map((one) => (
            <li key={one.place}>
              {one === afterGap ? <span className="lineage-gap">{published.gap(hidden)}</span> : null}
              <StripStep {...one} history={history} />
            </li>
          ))}
        </ol>
      ))}
    </section>
  );
}

/** Names no person for a marked copy whose performer also made the original. */
function StripStep({
  step,
  place,
  history,
}: {
  step: PublishedStep;
  place: number;
  history: PublishedHistory;
}) {
  const { people, steps } = history;
  const { type, by, tool, markedCid } = step;
  const isAi = people.some(({ role, ref }) => role === 'ai' && ref === by);
  const usesAi = type === 'generate' || tool !== undefined || markedCid !== undefined || isAi;
  return (
    <a href={`#step-${place + 1}`} className={usesAi ? 'lineage-step ai' : 'lineage-step'}>
      <span className="lineage-type">{nameStepShort(step)}</span>
      {listMarkedForMaker(steps).has(step) ? null : <strong>{namePeople(history)(by)}</strong>}
      {usesAi ? <span className="lineage-ai">{published.aiStep}</span> : null}
    </a>
  );
}
