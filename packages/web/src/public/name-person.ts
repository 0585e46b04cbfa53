import {
  findCorrectedSteps,
  listWorks,
  orderSteps,
  type PublishedHistory,
  workMakersOf,
} from '@colophon/model';
import { joinNames, nameMaker } from '../strings/describe-facts.js';
import { history } from '../strings/history.js';
import { published } from '../strings/public.js';

type Person = PublishedHistory['people'][number];
type Credit = PublishedHistory['credits'][number];

const SHOWN_DIGITS = 6;

/** Without a name, returns the kind and a short pseudonym. */
export function namePerson({ name, role, ref, hidden }: Person): string {
  const kind = nameKind(role);
  if (name !== undefined) return name;
  const short = ref.slice(0, SHOWN_DIGITS);
  return hidden ? published.hiddenPerson(kind, short) : published.unnamedPerson(kind, short);
}

export function nameKind(role: string): string {
  const kinds: Record<string, string> = published.kinds;
  return kinds[role] ?? (role === 'other' ? published.kinds.other : role.replace(/^ext:/, ''));
}

export function nameKindBeside(role: string): string {
  const kinds: Record<string, string> = published.beside;
  return kinds[role] ?? nameKind(role);
}

/** Returns the headline, or else the title of the content, or else a general text with its makers. */
export function nameHistory({ title, cid, contents, facts }: PublishedHistory): string {
  const { type } = facts;
  const { makers, furtherMakers } = workMakersOf(facts);
  const kinds: Record<string, string> = published.kindsOfContent;
  const own = contents.find((content) => content.cid === cid)?.title;
  const kind = kinds[type] ?? published.kindsOfContent.other;
  const names = makers.flatMap((maker) => (maker.name === undefined ? [] : [nameMaker(maker)]));
  const who = joinNames(names, furtherMakers);
  const generic = names.length === 0 ? published.generic(kind) : published.genericBy(kind, who);
  return title ?? own ?? generic;
}

export function nameCreditRole({ role, marksCopy }: Pick<Credit, 'role' | 'marksCopy'>): string {
  if (marksCopy === true) return published.marker;
  const names: Record<string, string> = published.creditRoles;
  return names[role] ?? role.replace(/^ext:/, '');
}

export function nameType(type: string): string {
  const names: Record<string, string> = published.types;
  return names[type] ?? type.replace(/^ext:/, '');
}

type Step = Pick<PublishedHistory['steps'][number], 'type' | 'markedCid'>;

/** `isForMaker`: the performer also made the original, so no name precedes the verb. */
export function nameStep({ type, markedCid }: Step, isForMaker = false): string {
  const names: Record<string, string> = published.step;
  if (markedCid === undefined) return names[type] ?? published.step.other;
  return isForMaker ? published.markedCopy.alone : published.markedCopy.made;
}

/** Returns a name for parts of the page that do not show the files of the step. */
export function nameStepShort(step: Step): string {
  return step.markedCid === undefined ? nameStep(step) : published.markedCopy.name;
}

/** Oldest first. A step always follows the steps that made its inputs. */
export function sortSteps({ steps }: PublishedHistory): PublishedHistory['steps'] {
  return orderSteps(steps, ({ at, inputs, outputs }) => ({ atMs: Date.parse(at), inputs, outputs }));
}

/** Indexes in the list of `sortSteps`. */
export interface StepCorrections {
  corrects: number | undefined;
  correctedBy: number | undefined;
}

/** Returns the corrections of the steps, in the order of `sortSteps`. */
export function placeCorrections(history: PublishedHistory): StepCorrections[] {
  const { steps } = history;
  const shown = sortSteps(history);
  const places = new Map(shown.map((step, place) => [step, place]));
  const corrections = findCorrectedSteps(steps);
  const placeOf = (index = -1) => {
    const step = steps[index];
    return step && places.get(step);
  };
  const found = new Map(
    steps.map((step, index) => [
      step,
      { corrects: placeOf(step.corrects), correctedBy: placeOf(corrections.get(index)) },
    ]),
  );
  return shown.map((step) => found.get(step) ?? { corrects: undefined, correctedBy: undefined });
}

export function namePeople({ people }: PublishedHistory): (ref: string) => string {
  const names = new Map(people.map((person) => [person.ref, namePerson(person)]));
  return (ref) => names.get(ref) ?? ref.slice(0, SHOWN_DIGITS);
}

/** Names a content by its title or shortened CID, and the published content by a general name. */
export function nameContent({ cid: own, contents }: PublishedHistory): (cid: string) => string {
  const titles = new Map(contents.map(({ cid, title }) => [cid, title]));
  return (cid) => {
    if (cid === own) return published.thisContent;
    const title = titles.get(cid);
    return title === undefined ? published.otherContent(cid) : history.titled(title);
  };
}

/** The original of a published marked copy gets the same name as the copy, because both are the same work. */
export function nameWork(history: PublishedHistory): (cid: string) => string {
  const nameOf = nameContent(history);
  const works = listWorks(history.steps, history.cid);
  return (cid) => nameOf(works.has(cid) ? history.cid : cid);
}
