import type { ActivityRequest } from '@colophon/model';
import { Fragment } from 'react';
import { nameAction } from '../shell/name-action.js';
import { shortCid } from '../shell/short-labels.js';
import type { Person } from '../shell/use-people.js';
import { history } from '../strings/history.js';
import { record } from '../strings/record.js';
import { toBatch } from './add-step.js';
import { type Draft, isWithoutAi, missingOf, otherInputs, sourceTitlesOf } from './draft.js';

const text = record.preview;
const NEW = 'new';

/** Returns a sentence about the draft, without a full stop. */
export function sayDraft(draft: Draft, activity: ActivityRequest, people: readonly Person[]): string {
  const { type = 'create', inputCids = [], aiTool } = activity.action ?? {};
  const performedBy = activity.entity.id ?? NEW;
  const title = draft.isRecorded ? '' : draft.title.trim();
  const what = title === '' ? history.thisFile : history.titled(title);
  const entities = [{ id: NEW, name: activity.entity.name ?? '' }, ...people];
  return nameAction({ type, performedBy, inputCids, aiTool }, { entities }, what);
}

export function Preview({
  draft,
  role,
  activity,
  people,
}: {
  draft: Draft;
  role: string;
  activity: ActivityRequest;
  people: readonly Person[];
}) {
  const missing = missingOf(draft, role);
  return (
    <section className="card preview" aria-live="polite">
      <h2>{text.title}</h2>
      {missing.length === 0 ? (
        <p className="sentence">{text.sentence(sayDraft(draft, activity, people))}</p>
      ) : (
        <>
          <p>{text.needs}:</p>
          <ul className="plain">
            {missing.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </>
      )}
      <Values draft={draft} role={role} />
      <details>
        <summary>{text.exact}</summary>
        <pre>{JSON.stringify(toRequest(draft, activity), null, 2)}</pre>
      </details>
    </section>
  );
}

/** `NEW` stands for ids that do not exist yet. */
function toRequest({ file, cid, isRecorded, corrected }: Draft, activity: ActivityRequest): object {
  if (cid === undefined || !isRecorded) return { file: file?.name, json: activity };
  const { entity } = activity;
  const { outputCids } = corrected ?? {};
  const step = toBatch(activity, { cid, outputCids, actionId: NEW, entityId: entity.id ?? NEW });
  return entity.id === undefined ? { entities: [entity], ...step } : step;
}

function Values({ draft, role }: { draft: Draft; role: string }) {
  const titles = sourceTitlesOf(draft);
  const sources = otherInputs(draft).map(({ cid, name, fileName }) =>
    fileName === undefined ? name : (titles.get(cid) ?? shortCid(cid)),
  );
  const values: [string, string][] = [
    [record.contentTitle, draft.isRecorded ? '' : draft.title],
    [text.ai, isWithoutAi(draft, role) ? record.what.noAi : ''],
    [text.prompt, isWithoutAi(draft, role) ? '' : draft.prompt],
    [record.more.note, draft.note],
    [record.more.madeAt, draft.madeAt],
    [record.more.license, draft.license],
    [record.inputs.legend, sources.join('\n')],
  ];
  const given = values.filter(([, value]) => value.trim() !== '');
  if (given.length === 0) return null;
  return (
    <dl>
      {given.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value.trim()}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
