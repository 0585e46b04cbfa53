import { findCorrectedSteps } from './current-steps.js';
import type { PublishedFacts } from './published-history.js';

const LOOKING: readonly string[] = ['reference', 'verify'];

/**
 * Whether an action of this type makes its outputs. Actions of the other types only refer to content, or check it.
 *
 * @example
 * makesContent('verify'); // => false
 */
export function makesContent(type: string): boolean {
  return !LOOKING.includes(type);
}

/** The members of a step that show who made a content. `by`: the performer. */
export interface MakingStep {
  type: string;
  by: string;
  outputs: readonly string[];
  /** The original, if the step made a marked copy. */
  markedCid?: string | undefined;
  /** The index of the step that this step corrects, in the list of all steps. */
  corrects?: number | undefined;
}

/**
 * Returns the performers of the steps that made a content. A marked copy is the same work as its original, the content
 * that was copied and marked. So the makers of the original count for the copy, and the person who marked it does not.
 * Corrected steps do not count.
 *
 * @example
 * const photo = { type: 'create', by: 'ben', outputs: ['photo'] };
 * const copy = { type: 'generate', by: 'anna', outputs: ['copy'], markedCid: 'photo' };
 * [...listWorkMakers([photo, copy], 'copy')]; // => ['ben']
 */
export function listWorkMakers(steps: readonly MakingStep[], cid: string): Set<string> {
  return createWorkMakers(steps)(cid);
}

/**
 * Returns `listWorkMakers` for many contents of the same steps.
 *
 * @example
 * const makersOf = createWorkMakers([{ type: 'create', by: 'ben', outputs: ['photo'] }]);
 * [...makersOf('photo')]; // => ['ben']
 */
export function createWorkMakers(steps: readonly MakingStep[]): (cid: string) => Set<string> {
  const making = mapMaking(steps);
  return (cid) => {
    const ofWorks = [...followWorks(making, cid)].flatMap((work) => making.get(work) ?? []);
    return new Set(ofWorks.filter(({ markedCid }) => markedCid === undefined).map(({ by }) => by));
  };
}

/**
 * Returns a content and the contents that are the same work. For a marked copy, these are its original and, if the
 * original is a marked copy too, the original of that copy, and so on.
 *
 * @example
 * const copy = { type: 'generate', by: 'anna', outputs: ['copy'], markedCid: 'photo' };
 * [...listWorks([copy], 'copy')]; // => ['copy', 'photo']
 */
export function listWorks(steps: readonly MakingStep[], cid: string): Set<string> {
  return followWorks(mapMaking(steps), cid);
}

function followWorks(making: ReadonlyMap<string, readonly MakingStep[]>, cid: string): Set<string> {
  const works = new Set([cid]);
  // The loop also visits the contents that it adds to the set.
  for (const work of works)
    for (const { markedCid } of making.get(work) ?? []) if (markedCid !== undefined) works.add(markedCid);
  return works;
}

/**
 * Returns the steps that made marked copies and whose performer also made the original. Somebody else can have marked
 * such a copy, because some clients name the maker of the file as the performer of the mark. `known`: the steps that
 * can show who made the original. Corrected steps in `known` do not count.
 *
 * @example
 * const photo = { type: 'create', by: 'ben', outputs: ['photo'] };
 * const copy = { type: 'generate', by: 'ben', outputs: ['copy'], markedCid: 'photo' };
 * listMarkedForMaker([photo, copy]).has(copy); // => true
 */
export function listMarkedForMaker<Step extends MakingStep>(
  steps: readonly Step[],
  known: readonly MakingStep[] = steps,
): Set<Step> {
  const making = mapMaking(known);
  const isForMaker = ({ by, markedCid }: Step) =>
    markedCid !== undefined && making.get(markedCid)?.some((step) => step.by === by);
  return new Set(steps.filter(isForMaker));
}

/**
 * Whether the facts of a marked copy leave open who marked it. Returns true if each performer of the mark has a name
 * and also made the original: see `listMarkedForMaker`. Returns false if a performer has no name, because this
 * performer can be another person than the makers of the original.
 *
 * @example
 * const ben = { role: 'human', name: 'Ben' };
 * isMarkerUnknown({ act: 'marked', makers: [ben], sourceMakers: [ben] }); // => true
 */
export function isMarkerUnknown({
  act,
  makers,
  sourceMakers,
}: Pick<PublishedFacts, 'act' | 'makers' | 'sourceMakers'>): boolean {
  const isMaker = (one: PublishedFacts['makers'][number]) =>
    sourceMakers?.some(({ role, name }) => name && role === one.role && name === one.name);
  return act === 'marked' && makers.length > 0 && makers.every(isMaker);
}

/**
 * Returns the makers of the work in the facts of a content. For a marked copy, returns the makers of the original, and
 * not the person who marked it. Returns no makers if the facts of a marked copy lack the makers of the original.
 *
 * @example
 * const [ben, anna] = ['Ben', 'Anna'].map((name) => ({ role: 'human', name }));
 * workMakersOf({ act: 'marked', makers: [anna], sourceMakers: [ben] }).makers[0]?.name; // => 'Ben'
 */
export function workMakersOf({
  act,
  makers,
  furtherMakers,
  sourceMakers = [],
}: Pick<PublishedFacts, 'act' | 'makers' | 'furtherMakers' | 'sourceMakers'>): WorkMakers {
  return act === 'marked' ? { makers: sourceMakers } : { makers, furtherMakers };
}

interface WorkMakers {
  makers: PublishedFacts['makers'];
  furtherMakers?: PublishedFacts['furtherMakers'] | undefined;
}

/** Omits corrected steps. */
function mapMaking<Step extends MakingStep>(steps: readonly Step[]): Map<string, Step[]> {
  const making = new Map<string, Step[]>();
  const corrected = findCorrectedSteps(steps);
  for (const step of steps.filter(({ type }, place) => makesContent(type) && !corrected.has(place)))
    for (const output of new Set(step.outputs)) {
      const known = making.get(output);
      if (known === undefined) making.set(output, [step]);
      else known.push(step);
    }
  return making;
}
