import type { ActivityRequest } from '@colophon/model';
import { nameAction } from '../shell/name-action.js';
import type { Person } from '../shell/use-people.js';
import { history } from '../strings/history.js';
import { record } from '../strings/record.js';
import { type Draft, missingOf } from './draft.js';

const text = record.preview;
const NEW = 'new';

/** Shows the data to be stored, as a sentence and as the exact request. */
export function Preview({
  draft,
  activity,
  people,
}: {
  draft: Draft;
  activity: ActivityRequest;
  people: readonly Person[];
}) {
  const missing = missingOf(draft);
  const { type = 'create', inputCids = [], aiTool } = activity.action ?? {};
  const performedBy = activity.entity.id ?? NEW;
  const title = draft.title.trim();
  const what = title === '' ? history.thisFile : history.titled(title);
  const entities = [{ id: NEW, name: activity.entity.name ?? '' }, ...people];
  return (
    <section className="card preview" aria-live="polite">
      <h2>{text.title}</h2>
      {missing.length === 0 ? (
        <p className="told">
          {text.sentence(nameAction({ type, performedBy, inputCids, aiTool }, entities, what))}
        </p>
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
      <details>
        <summary>{text.exact}</summary>
        <pre>{JSON.stringify({ file: draft.file?.name, json: activity }, null, 2)}</pre>
      </details>
    </section>
  );
}
