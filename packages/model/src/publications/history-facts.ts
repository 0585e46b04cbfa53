import { hasWeight } from '../distribution/credits.js';
import type { Step as LineageStep } from '../distribution/lineage.js';
import { withWorks } from '../distribution/marked-copies.js';
import { licenseOf } from '../extensions/license.js';
import { findCorrectedSteps, findCurrent } from './current-steps.js';
import { listMarkedForMaker, makesContent } from './making-steps.js';
import type { PublishedHistory } from './published-history.js';
import { shortenText } from './shorten-text.js';

const MAX_NAMED = 5;
/** The schema of `ext:license` has no limit. */
const MAX_LICENSE_LENGTH = 256;

/**
 * Returns the licences of the content itself, such as `CC-BY-4.0`, without duplicates. They come from the record of the
 * content and from the steps with the content as an output. Such a step counts only if a maker or the owner of the
 * content performed it. If `history.license` is true, the licences also come from the credits of the makers and the
 * owner for the content or for a step with the content as an output. If no step made the content, the first person who
 * recorded it counts as its maker. Returns an empty list if the publication withholds the licences. Corrected steps and
 * their credits do not count. A name of more than 256 UTF-16 code units is truncated and ends with `…`.
 *
 * @example
 * const extensions = { 'ext:license@1.0.0': { type: 'CC-BY-4.0' } };
 * const own = { cid: 'b', type: 'image', recordedAt: '2026-03-02T09:00:00.000Z', extensions };
 * listLicenses({ cid: 'b', contents: [own], steps: [], credits: [] }); // => ['CC-BY-4.0']
 */
export function listLicenses(history: LicensedHistory): string[] {
  const { cid, contents, steps, credits, license } = history;
  const corrected = findCorrectedSteps(steps);
  const valid = steps.filter((_, place) => !corrected.has(place));
  const stating = listStating({ ...history, steps: valid });
  const about = valid.filter(({ outputs, by }) => outputs.includes(cid) && stating.has(by));
  const credited = credits.filter(
    (credit) =>
      !corrected.has(credit.step ?? -1) &&
      stating.has(credit.by) &&
      (credit.cid === cid || steps[credit.step ?? -1]?.outputs.includes(cid)),
  );
  const own = contents.filter((content) => content.cid === cid);
  const records = [...own, ...about, ...(license ? credited : [])];
  const licenses = records.flatMap((record) => licenseOf(record) ?? []);
  return [...new Set(licenses.map((license) => shortenText(license, MAX_LICENSE_LENGTH)))];
}

type LicensedHistory = Pick<PublishedHistory, 'cid' | 'contents' | 'steps' | 'credits' | 'license'>;

/** The makers and the owner can state the licence. */
function listStating({ cid, contents, steps }: LicensedHistory): Set<string> {
  const own = contents.find((content) => content.cid === cid);
  const about = steps.filter(({ outputs }) => outputs.includes(cid));
  const makers = about.filter(({ type }) => makesContent(type)).map(({ by }) => by);
  const first = own?.by ?? about[0]?.by;
  const stating = [...(makers.length > 0 ? makers : [first]), own?.owner];
  return new Set(stating.filter((ref) => ref !== undefined));
}

/**
 * Returns the names of the people and organisations that performed the steps of `listCurrentSteps`. Returns an empty
 * list if the history lacks at least one of these names, or if there are more than 5.
 *
 * @example
 * const people = [{ ref: 'r', hidden: false, role: 'human', name: 'Ann' }];
 * const step = { type: 'create', at: '2026-03-02T09:00:00.000Z', by: 'r', inputs: [], outputs: ['b'] };
 * namePerformers({ cid: 'b', people, steps: [{ ...step, prompts: [], signed: false }] }); // => ['Ann']
 */
export function namePerformers(history: Pick<PublishedHistory, 'cid' | 'people' | 'steps'>): string[] {
  const refs = new Set(listCurrentSteps(history).map(({ by }) => by));
  const performers = history.people.filter(({ ref, role }) => refs.has(ref) && role !== 'ai');
  const names = new Set(performers.map(({ name }) => name ?? ''));
  return names.has('') || names.size > MAX_NAMED ? [] : [...names];
}

/**
 * Returns the credits of a history that count. A credit does not count if `listCurrentSteps` leaves out its step, or if
 * only corrected steps used its content as a source, directly or indirectly. A credit for a step that made a marked
 * copy counts only if it has `marksCopy` or, as in `distributeBundle`, a weight.
 *
 * If the publication withholds the details, such a credit also counts without a weight, because the weight can be among
 * the details. There is one exception: a person who performed the step and also made the original. The credit of this
 * person for the step does not count without a weight, because this person has a credit for the original.
 *
 * @example
 * const step = { type: 'create', at: '2026-03-02T09:00:00.000Z', by: 'r', inputs: [], outputs: ['b'] };
 * const steps = [step, { ...step, corrects: 0 }].map((one) => ({ ...one, prompts: [], signed: false }));
 * const credit = { by: 'r', role: 'author' };
 * listCurrentCredits({ cid: 'b', steps, credits: [{ ...credit, step: 0 }, credit] }); // => [{ by: 'r', role: 'author' }]
 */
export function listCurrentCredits(history: CreditedHistory): PublishedHistory['credits'] {
  const { cid, steps, credits, withheld = [] } = history;
  const part = findCurrent(cid, steps);
  const current =
    part === undefined
      ? credits
      : credits.filter(
          (credit) =>
            (credit.step === undefined || part.isCurrent(credit.step)) &&
            (credit.cid === undefined || !part.isAbandoned(credit.cid)),
        );
  const copying = findCopying(steps, current);
  if (copying.size === 0) return current;
  const isWithheld = withheld.includes('details');
  const forMaker = listMarkedForMaker(steps);
  return current.filter((credit) => {
    const place = credit.step ?? -1;
    if (!copying.has(place) || hasWeight(credit) || credit.marksCopy === true) return true;
    const step = steps[place];
    return isWithheld && !(step?.by === credit.by && forMaker.has(step));
  });
}

/** Adds `marksCopy` to the credits of people who only made a marked copy of the work of others. */
export function withMarkers(
  steps: PublishedHistory['steps'],
  credits: PublishedHistory['credits'],
): PublishedHistory['credits'] {
  const copying = findCopying(steps, credits);
  if (copying.size === 0) return credits;
  const forMaker = listMarkedForMaker(steps);
  return credits.map((credit) => {
    const step = copying.has(credit.step ?? -1) ? steps[credit.step ?? -1] : undefined;
    const isMarker = step?.by === credit.by && !forMaker.has(step) && !hasWeight(credit);
    return isMarker ? { ...credit, marksCopy: true } : credit;
  });
}

type CreditedHistory = Pick<PublishedHistory, 'cid' | 'steps' | 'credits'> &
  Partial<Pick<PublishedHistory, 'withheld'>>;

/** Finds the steps that only copied content and marked the copy, by the rules of `distributeBundle`. */
function findCopying(steps: PublishedHistory['steps'], credits: PublishedHistory['credits']): Set<number> {
  if (steps.every(({ markedCid }) => markedCid === undefined)) return new Set();
  const corrected = findCorrectedSteps(steps);
  const lineage = steps.flatMap(({ inputs, outputs, markedCid: marked }, place): LineageStep[] =>
    corrected.has(place) ? [] : [{ id: String(place), inputs, outputs: [...new Set(outputs)], marked }],
  );
  const attributions = credits.map(({ by, role, step, cid, weight, extensions }) => ({
    ...{ entityId: by, role, resourceCid: cid, weight, extensions },
    actionId: step === undefined ? undefined : String(step),
  }));
  const bundle = { cid: '', actions: [], attributions, entities: [], complete: true };
  const copying = withWorks(bundle, lineage).filter(({ work }) => work !== undefined);
  return new Set(copying.map(({ id }) => Number(id)));
}

/**
 * Returns the number of sources of a complete history that no step made or imported. Corrected steps and the sources that
 * only these steps used do not count. Returns 0 for a partial history, because it may lack the step that made a source.
 *
 * @example
 * const step = { type: 'transform', at: '2026-03-02T09:00:00.000Z', by: 'r', inputs: ['a'], outputs: ['b'] };
 * const steps = [{ ...step, prompts: [], signed: false }];
 * countUnmade({ cid: 'b', steps, facts: { complete: true } }); // => 1
 */
export function countUnmade(
  history: Pick<PublishedHistory, 'cid' | 'steps'> & { facts: Pick<PublishedHistory['facts'], 'complete'> },
): number {
  if (!history.facts.complete) return 0;
  const steps = listCurrentSteps(history);
  const made = new Set(steps.flatMap(({ outputs }) => outputs));
  const used = new Set(steps.flatMap(({ inputs }) => inputs));
  return [...used].filter((one) => one !== history.cid && !made.has(one)).length;
}

/**
 * Returns the people of a history. Leaves out a performer if no step and no credit of this person counts. A page names
 * such a person only at the step.
 *
 * @example
 * const people = ['a', 'b'].map((ref) => ({ ref, hidden: false, role: 'human' }));
 * const step = { type: 'create', at: '2026-03-02T09:00:00.000Z', inputs: [], outputs: ['b'], signed: false };
 * const steps = [{ by: 'a' }, { by: 'b', corrects: 0 }].map((one) => ({ ...step, prompts: [], ...one }));
 * listCurrentPeople({ cid: 'b', people, steps, credits: [] }).map(({ ref }) => ref); // => ['b']
 */
export function listCurrentPeople(
  history: CreditedHistory & Pick<PublishedHistory, 'people'>,
): PublishedHistory['people'] {
  const { people, steps } = history;
  const currentSteps = listCurrentSteps(history);
  if (currentSteps.length === steps.length) return people;
  const current = new Set([...currentSteps, ...listCurrentCredits(history)].map(({ by }) => by));
  const performers = new Set(steps.map(({ by }) => by));
  return people.filter(({ ref }) => current.has(ref) || !performers.has(ref));
}

/**
 * Returns the steps that count. Leaves out corrected steps, steps that only made sources of corrected steps, and steps
 * without outputs that only used such sources. The facts of the history take the makers and the number of sources from
 * the same steps.
 *
 * @example
 * const step = { type: 'create', at: '2026-03-02T09:00:00.000Z', by: 'r', inputs: [], outputs: ['b'] };
 * const steps = [step, { ...step, corrects: 0 }].map((one) => ({ ...one, prompts: [], signed: false }));
 * listCurrentSteps({ cid: 'b', steps }).length; // => 1
 */
export function listCurrentSteps({
  cid,
  steps,
}: Pick<PublishedHistory, 'cid' | 'steps'>): PublishedHistory['steps'] {
  const part = findCurrent(cid, steps);
  return part === undefined ? steps : steps.filter((_, place) => part.isCurrent(place));
}
