import { listCurrentSteps, type PublishedHistory } from '@colophon/model';
import { published } from '../strings/public.js';
import { namePeople, nameStepShort, sortSteps } from './name-person.js';

type PublishedStep = PublishedHistory['steps'][number];

const FIRST = 3;
const LAST = 4;

/** The steps of `listCurrentSteps` in a row, oldest first. A long history shows its first and last steps. */
export function LineageStrip({ history }: { history: PublishedHistory }) {
  const { people } = history;
  const current = new Set(listCurrentSteps(history));
  const steps = sortSteps(history).flatMap((step, place) => (current.has(step) ? [{ step, place }] : []));
  if (steps.length === 0) return null;
  const nameOf = namePeople(history);
  const ais = new Set(people.filter(({ role }) => role === 'ai').map(({ ref }) => ref));
  const usesAi = ({ type, by, tool }: PublishedStep) =>
    type === 'generate' || tool !== undefined || ais.has(by);
  const isLong = steps.length > FIRST + LAST + 1;
  const shown = isLong ? [...steps.slice(0, FIRST), ...steps.slice(-LAST)] : steps;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
    <section className="lineage" tabIndex={0} aria-label={published.lineage}>
      <ol>
        {shown.map(({ step, place }, index) => (
          <li key={place}>
            {isLong && index === FIRST ? (
              <span className="lineage-gap">{published.gap(steps.length - FIRST - LAST)}</span>
            ) : null}
            <a href={`#step-${place + 1}`} className={usesAi(step) ? 'lineage-step ai' : 'lineage-step'}>
              <span className="lineage-type">{nameStepShort(step)}</span>
              <strong>{nameOf(step.by)}</strong>
              {usesAi(step) ? <span className="lineage-ai">{published.aiStep}</span> : null}
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
