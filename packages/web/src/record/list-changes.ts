import { formatInstant, formatList } from '../languages/formats.js';
import { record } from '../strings/record.js';
import { type Draft, EMPTY, nameType } from './draft.js';

export interface Change {
  name: string;
  before: string;
  after: string;
}

/** Lists the changes in the order of the form. `nameOf` names the performer of a draft. */
export function listChanges(before: Draft, after: Draft, nameOf: (draft: Draft) => string): Change[] {
  const [first, second] = [before, after].map((draft) => listValues(draft, nameOf(draft)));
  return (first ?? []).flatMap(([name, value], place) => {
    const changed = second?.[place]?.[1] ?? '';
    return value === changed ? [] : [{ name, before: sayValue(value), after: sayValue(changed) }];
  });
}

function listValues(draft: Draft, performer: string): [name: string, value: string][] {
  const { who, what, more, inputs, done } = record;
  const { type, noAi, note, madeAt, license } = draft;
  // The form hides the tool of a draft without AI.
  const { provider, model, prompt } = noAi ? EMPTY : draft;
  return [
    [who.known, performer],
    [what.legend, nameType(type)],
    [what.noAi, noAi ? done.yes : done.no],
    [what.provider, provider],
    [what.model, model],
    [what.prompt, prompt],
    [inputs.legend, formatList(draft.inputs.map(({ name }) => name))],
    [more.note, note],
    [more.madeAt, madeAt === '' ? '' : formatInstant(madeAt)],
    [more.license, license],
  ];
}

function sayValue(value: string): string {
  return value.trim() === '' ? record.done.noValue : value.trim();
}
