import { type PublicationRequest, WITHHOLDABLE, type Withholdable } from '@colophon/model';

const DAY_MS = 86_400_000;

export type PeopleChoice = 'names' | 'none' | 'pseudonyms';

/** The form selects the data to show. The request names the data to leave out. */
export function toPublication(cid: string, form: FormData, now = Date.now()): PublicationRequest {
  const title = String(form.get('title') ?? '').trim();
  const days = Number(form.get('days') ?? 0);
  const people = form.get('people') as PeopleChoice;
  return {
    cid,
    withhold: toWithheld(people, form.getAll('show') as Withholdable[]),
    ...(title === '' ? {} : { title }),
    ...(form.get('titles') === null ? {} : { titles: true }),
    ...(form.get('picture') === null ? {} : { picture: true }),
    ...(form.get('license') === null ? {} : { license: true }),
    ...(people === 'pseudonyms' ? { hiddenEntities: 'all' } : {}),
    ...(days > 0 ? { expiresAt: new Date(now + days * DAY_MS).toISOString() } : {}),
  };
}

/** If any kind of data is left out, adds `details` (other data). */
export function toWithheld(people: PeopleChoice, shown: readonly Withholdable[]): Withholdable[] {
  const kept = people === 'names' ? [...shown, 'names'] : shown;
  const left = WITHHOLDABLE.filter((thing) => !kept.includes(thing));
  return left.length === 0 || left.includes('details') ? left : [...left, 'details'];
}
