import { licenseOf } from '../extensions/license.js';
import { findCorrectedSteps } from './current-steps.js';
import { makesContent } from './list-facts.js';
import type { PublishedHistory } from './published-history.js';

const MAX_NAMED = 5;

/**
 * Returns the licences of the content itself, such as `CC-BY-4.0`, without duplicates. They come from the record of the
 * content, and from each step that a maker or the owner of the content performed and that has the content as an output.
 * If the publication shows the licences, they also come from credits of a maker or the owner for the content. If no
 * step made the content, the first person who recorded it counts as its maker. Returns an empty list if the publication
 * withholds the licences. Corrected steps and their credits do not count.
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
  return [...new Set(records.flatMap((record) => licenseOf(record) ?? []))];
}

type LicensedHistory = Pick<PublishedHistory, 'cid' | 'contents' | 'steps' | 'credits' | 'license'>;

/** Returns the refs of the people who can state the licence of the content: its makers and its owner. */
function listStating({ cid, contents, steps }: LicensedHistory): Set<string> {
  const own = contents.find((content) => content.cid === cid);
  const about = steps.filter(({ outputs }) => outputs.includes(cid));
  const makers = about.filter(({ type }) => makesContent(type)).map(({ by }) => by);
  const first = own?.by ?? about[0]?.by;
  const stating = [...(makers.length > 0 ? makers : [first]), own?.owner];
  return new Set(stating.filter((ref) => ref !== undefined));
}

/**
 * Returns the names of the people and organisations that performed the steps of a history. Corrected steps do not
 * count. Returns an empty list if the history lacks at least one of these names, or if there are more than 5.
 *
 * @example
 * const people = [{ ref: 'r', hidden: false, role: 'human', name: 'Ann' }];
 * const step = { type: 'create', at: '2026-03-02T09:00:00.000Z', by: 'r', inputs: [], outputs: [] };
 * namePerformers({ people, steps: [{ ...step, prompts: [], signed: false }] }); // => ['Ann']
 */
export function namePerformers({ people, steps }: Pick<PublishedHistory, 'people' | 'steps'>): string[] {
  const corrected = findCorrectedSteps(steps);
  const refs = new Set(steps.filter((_, place) => !corrected.has(place)).map(({ by }) => by));
  const performers = people.filter(({ ref, role }) => refs.has(ref) && role !== 'ai');
  const names = new Set(performers.map(({ name }) => name ?? ''));
  return names.has('') || names.size > MAX_NAMED ? [] : [...names];
}
