import { listCurrentPeople, listMarkedForMaker, type PublishedHistory } from '@colophon/model';
import { aiLevels } from '../strings/ai-levels.js';
import { history as texts } from '../strings/history.js';
import { published } from '../strings/public.js';
import { Instant } from '../ui/instant.js';
import {
  nameContent,
  nameKindBeside,
  namePeople,
  namePerson,
  nameStep,
  placeCorrections,
  type StepCorrections,
  sortSteps,
} from './name-person.js';
import { ValueTable } from './value-table.js';

export function Steps({ history }: { history: PublishedHistory }) {
  const nameOf = namePeople(history);
  const contentOf = nameContent(history);
  const corrections = placeCorrections(history);
  const markedForMaker = listMarkedForMaker(history.steps);
  const hasCorrected = corrections.some(({ correctedBy }) => correctedBy !== undefined);
  return (
    <>
      {hasCorrected ? <p className="quiet">{published.uncounted}</p> : null}
      <ol className="public-steps">
        {sortSteps(history).map((step, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no ids, and their order is fixed
          <li key={`${place} ${step.at}`} id={`step-${place + 1}`}>
            <Instant at={step.at} />
            <p>
              {markedForMaker.has(step) ? null : <strong>{nameOf(step.by)}</strong>}{' '}
              {nameStep(step, markedForMaker.has(step))} {step.outputs.map(contentOf).join(', ')}
              {step.inputs.length === 0 ? '' : ` ${published.from} ${step.inputs.map(contentOf).join(', ')}`}
              {step.tool === undefined ? '' : ` ${published.using(nameTool(step.tool))}`}
              {step.signed ? `, ${published.signed}` : ''}.
            </p>
            {step.withoutAi === true && corrections[place]?.correctedBy === undefined ? (
              <p className="quiet">{aiLevels.statedBy(nameOf(step.by))}</p>
            ) : null}
            <CorrectionLinks {...corrections[place]} />
            {step.prompts.length === 0 ? null : (
              <details>
                <summary>{published.prompts}</summary>
                {step.prompts.map((prompt) => (
                  <blockquote key={prompt}>{prompt}</blockquote>
                ))}
              </details>
            )}
            <More extensions={step.extensions} />
          </li>
        ))}
      </ol>
    </>
  );
}

function CorrectionLinks({ corrects, correctedBy }: Partial<StepCorrections>) {
  const links = [
    { to: corrects, text: texts.corrects },
    { to: correctedBy, text: texts.corrected },
  ];
  return links.map(({ to, text }) =>
    to === undefined ? null : (
      <p key={text} className="quiet">
        <a href={`#step-${to + 1}`}>{text}</a>
      </p>
    ),
  );
}

function nameTool({
  provider,
  model,
  version,
}: {
  provider: string;
  model: string;
  version?: string | undefined;
}) {
  return [provider, model, version].filter(Boolean).join(' ');
}

export function People({ history }: { history: PublishedHistory }) {
  return (
    <ul className="public-people">
      {listCurrentPeople(history).map((person) => (
        <li key={person.ref}>
          <span>
            <strong>{namePerson(person)}</strong>
            {person.name === undefined ? '' : `, ${nameKindBeside(person.role)}`}
          </span>
          {person.wallet === undefined ? null : (
            <span className="quiet">
              {published.wallet} <code>{person.wallet}</code>
            </span>
          )}
          <More extensions={{ ...person.metadata, ...person.extensions }} />
        </li>
      ))}
    </ul>
  );
}

export function More({ extensions }: { extensions: Record<string, unknown> | undefined }) {
  if (extensions === undefined || Object.keys(extensions).length === 0) return null;
  return (
    <details>
      <summary>{published.more}</summary>
      <ValueTable label={published.more} values={extensions} />
    </details>
  );
}
