import type { PublishedHistory } from '@colophon/model';
import { published } from '../strings/public.js';

type Person = PublishedHistory['people'][number];

const SHOWN_DIGITS = 6;

/** The name of a person if it is shown, else their kind and pseudonym. */
export function namePerson({ name, role, ref, hidden }: Person): string {
  const kind = nameKind(role);
  if (name !== undefined) return name;
  const short = ref.slice(0, SHOWN_DIGITS);
  return hidden ? published.hiddenPerson(kind, short) : published.unnamedPerson(kind, short);
}

/** The kind of a participant, in a word. */
export function nameKind(role: string): string {
  const kinds: Record<string, string> = published.kinds;
  return kinds[role] ?? (role === 'other' ? published.kinds.other : role.replace(/^ext:/, ''));
}

/** The kind of a participant, for display next to a name. */
export function nameKindBeside(role: string): string {
  const kinds: Record<string, string> = published.beside;
  return kinds[role] ?? nameKind(role);
}

/** The names of all participants by their pseudonyms. */
export function namePeople({ people }: PublishedHistory): (ref: string) => string {
  const names = new Map(people.map((person) => [person.ref, namePerson(person)]));
  return (ref) => names.get(ref) ?? ref.slice(0, SHOWN_DIGITS);
}

/** The name of a content: this content, or another by the ends of its id. */
export function nameContent({ cid: own }: PublishedHistory): (cid: string) => string {
  return (cid) => (cid === own ? published.thisContent : published.otherContent(cid));
}
