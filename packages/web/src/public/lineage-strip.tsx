import type { PublishedHistory } from '@colophon/model';
import { history as texts } from '../strings/history.js';
import { published } from '../strings/public.js';
import { namePeople, nameStepShort, placeCorrections, sortSteps } from './name-person.js';

type PublishedStep = PublishedHistory['steps'][number];

const FIRST = 3;
const LAST = 4;

/** The steps of a history in a row, oldest first. A long history shows its first and last steps. */
export function LineageStrip({ history }: { history: PublishedHistory }) {
  const { people } = history;
  const steps = sortSteps(history);
  if (steps.length === 0) return null;
  const nameOf = namePeople(history);
  const ais = new Set(people.filter(({ role }) => role === 'ai').map(({ ref }) => ref));
  const usesAi = ({ type, by, tool }: PublishedStep) =>
    type === 'generate' || tool !== undefined || ais.has(by);
  const corrections = placeCorrections(history);
  const all = steps.map((step, place) => ({ step, place }));
  const isLong = steps.length > FIRST + LAST + 1;
  const shown = isLong ? [...all.slice(0, FIRST), ...all.slice(-LAST)] : all;
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
              {corrections[place]?.correctedBy === undefined ? null : (
                <span className="lineage-type">{texts.correctedShort}</span>
              )}
              {usesAi(step) ? <span className="lineage-ai">{published.aiStep}</span> : null}
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
