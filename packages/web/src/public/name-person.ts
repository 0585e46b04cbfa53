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

/** Returns the name of a person. Without a name, returns their kind and a short pseudonym. */
export function namePerson({ name, role, ref, hidden }: Person): string {
  const kind = nameKind(role);
  if (name !== undefined) return name;
  const short = ref.slice(0, SHOWN_DIGITS);
  return hidden ? published.hiddenPerson(kind, short) : published.unnamedPerson(kind, short);
}

/** Returns the kind of a participant as a word. */
export function nameKind(role: string): string {
  const kinds: Record<string, string> = published.kinds;
  return kinds[role] ?? (role === 'other' ? published.kinds.other : role.replace(/^ext:/, ''));
}

/** Returns the kind of a participant for display next to a name. */
export function nameKindBeside(role: string): string {
  const kinds: Record<string, string> = published.beside;
  return kinds[role] ?? nameKind(role);
}

/** Returns the headline of a publication, or else the title of its content, or else a general text with its makers. */
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

/** Returns the role of a credit as words. */
export function nameCreditRole({ role, marksCopy }: Pick<Credit, 'role' | 'marksCopy'>): string {
  if (marksCopy === true) return published.marker;
  const names: Record<string, string> = published.creditRoles;
  return names[role] ?? role.replace(/^ext:/, '');
}

/** Returns the type of a content as a word. */
export function nameType(type: string): string {
  const names: Record<string, string> = published.types;
  return names[type] ?? type.replace(/^ext:/, '');
}

type Step = Pick<PublishedHistory['steps'][number], 'type' | 'markedCid'>;

/**
 * Returns the verb of a step. `isForMaker`: whether its performer also made the original, so no name precedes the verb.
 */
export function nameStep({ type, markedCid }: Step, isForMaker = false): string {
  const names: Record<string, string> = published.step;
  if (markedCid === undefined) return names[type] ?? published.step.other;
  return isForMaker ? published.markedCopy.alone : published.markedCopy.made;
}

/** Returns the name of a step for a part of the page that does not show the files of the step. */
export function nameStepShort(step: Step): string {
  return step.markedCid === undefined ? nameStep(step) : published.markedCopy.name;
}

/** Returns the steps of a history, oldest first. A step always follows the steps that made its inputs. */
export function sortSteps({ steps }: PublishedHistory): PublishedHistory['steps'] {
  return orderSteps(steps, ({ at, inputs, outputs }) => ({ atMs: Date.parse(at), inputs, outputs }));
}

/** For one step: the step that it corrects, and the step that corrects it, as indexes in the list of `sortSteps`. */
export interface StepCorrections {
  corrects: number | undefined;
  correctedBy: number | undefined;
}

/** Returns the corrections of each step, in the order of `sortSteps`. */
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

/** Returns a function that maps the `ref` of a participant to a name. */
export function namePeople({ people }: PublishedHistory): (ref: string) => string {
  const names = new Map(people.map((person) => [person.ref, namePerson(person)]));
  return (ref) => names.get(ref) ?? ref.slice(0, SHOWN_DIGITS);
}

/**
 * Returns a function that returns the name of a content in the history. The name is the title, if the publication shows
 * titles, or else a shortened CID. The published content itself has a general name.
 */
export function nameContent({ cid: own, contents }: PublishedHistory): (cid: string) => string {
  const titles = new Map(contents.map(({ cid, title }) => [cid, title]));
  return (cid) => {
    if (cid === own) return published.thisContent;
    const title = titles.get(cid);
    return title === undefined ? published.otherContent(cid) : history.titled(title);
  };
}

/**
 * Like `nameContent`. But if the published content is a marked copy, its original gets the same name as the copy,
 * because both are the same work.
 */
export function nameWork(history: PublishedHistory): (cid: string) => string {
  const nameOf = nameContent(history);
  const works = listWorks(history.steps, history.cid);
  return (cid) => nameOf(works.has(cid) ? history.cid : cid);
}
