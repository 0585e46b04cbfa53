import { CONTRIBUTING_ROLES } from '../distribution/claims.js';
import { hasWeight } from '../distribution/credits.js';
import { addTo } from '../distribution/lineage.js';
import { findCorrections } from '../extensions/correction.js';
import { markedInput } from '../extensions/mark.js';
import type { Action } from '../records/action.js';
import type { Bundle } from '../records/bundle.js';
import type { Resource } from '../records/resource.js';
import { makesContent } from './making-steps.js';

/** `marked` is the original. Both are canonical CIDs. */
interface Mark {
  id: string;
  marked: string;
  copy: string;
}

interface Hidden {
  /** Maps the id of a hidden mark to the CID of the copy. */
  copies: ReadonlyMap<string, string>;
  /**
   * Actions that are hidden with all their credits: corrected hidden marks, and the actions that a hidden mark
   * corrects.
   */
  corrected: ReadonlySet<string>;
  /** The original of a marked copy that only marks and corrected actions made. The map has no cycle. */
  works: ReadonlyMap<string, string>;
}

/**
 * Returns the history without the actions that made marked copies, because a mark states the use of AI. A copy and its
 * original are the same work, so they become one content. A credit for a mark stays only with a weight, and then
 * credits the copy.
 *
 * A mark stays if it is the only record of the work.
 */
export function hideMarks(bundle: Bundle): Bundle {
  const hidden = findHidden(bundle);
  if (hidden.copies.size === 0) return bundle;
  const own = workOf(bundle.cid, hidden);
  const rename = (cid: string) => {
    const work = workOf(cid, hidden);
    return work === own ? bundle.cid : work;
  };
  const isShown = (id: string) => !hidden.copies.has(id) && !hidden.corrected.has(id);
  const canonical = toCanonical(bundle);
  const names = [...hidden.works].flat();
  const shown = {
    ...bundle,
    actions: bundle.actions.filter(({ id }) => isShown(id)),
    attributions: listCredits(bundle, hidden),
    aliases: Object.fromEntries(
      [...Object.keys(bundle.aliases ?? {}), ...names].map((name) => [name, rename(canonical(name))]),
    ),
  };
  const resources = listContents(bundle, { hidden, rename, actions: shown.actions });
  return { ...shown, resources, entities: listPeople(bundle, { ...shown, resources }) };
}

function toCanonical({ aliases = {} }: Pick<Bundle, 'aliases'>): (cid: string) => string {
  return (cid) => aliases[cid] ?? cid;
}

function workOf(cid: string, { works }: Pick<Hidden, 'works'>): string {
  let work = cid;
  for (let next = works.get(work); next !== undefined; next = works.get(work)) work = next;
  return work;
}

function findHidden(bundle: Bundle): Hidden {
  const canonical = toCanonical(bundle);
  const marks = bundle.actions.flatMap((action): Mark[] => {
    const marked = markedInput(action, canonical);
    return marked === undefined
      ? []
      : [{ id: action.id, marked, copy: canonical(action.outputCids[0] ?? '') }];
  });
  const found = { copies: new Map<string, string>(), works: new Map<string, string>() };
  if (marks.length === 0) return { ...found, corrected: new Set() };
  const corrections = findCorrections(bundle.actions, bundle.aliases);
  const ids = new Set(marks.map(({ id }) => id));
  const others = bundle.actions.filter(({ id }) => !ids.has(id) && !corrections.has(id));
  const outputsOf = (actions: readonly Action[]) =>
    actions.flatMap(({ outputCids }) => outputCids.map(canonical));
  const made = new Set(outputsOf(others.filter(({ type }) => makesContent(type))));
  const recorded = new Set([...outputsOf(others), ...listCredited(bundle, ids)]);
  const byMarked = new Map<string, Mark[]>();
  for (const mark of marks) addTo(byMarked, mark.marked, mark);
  // The loop also visits the copies that it adds to the set.
  for (const cid of recorded)
    for (const { id, copy } of byMarked.get(cid) ?? []) {
      found.copies.set(id, copy);
      recorded.add(copy);
      if (!made.has(copy) && !found.works.has(copy) && workOf(cid, found) !== copy)
        found.works.set(copy, cid);
    }
  for (const { id, copy } of marks) if (made.has(copy)) found.copies.set(id, copy);
  return { ...found, corrected: listCorrected(corrections, found.copies) };
}

/** An attribution of a mark counts only with a weight. */
function listCredited(bundle: Bundle, marks: ReadonlySet<string>): string[] {
  const canonical = toCanonical(bundle);
  return bundle.attributions.flatMap((credit) => {
    const { actionId = '', resourceCid, role } = credit;
    const counts = hasWeight(credit) || (CONTRIBUTING_ROLES.includes(role) && !marks.has(actionId));
    return resourceCid === undefined || !counts ? [] : [canonical(resourceCid)];
  });
}

/** `corrections`: the id of each corrected action and of its correction. */
function listCorrected(corrections: ReadonlyMap<string, string>, copies: Hidden['copies']): Set<string> {
  const correctedBy = new Map([...corrections].map(([corrected, correction]) => [correction, corrected]));
  const corrected = new Set([...copies.keys()].filter((id) => corrections.has(id)));
  for (const id of copies.keys())
    for (let next = correctedBy.get(id); next !== undefined; next = correctedBy.get(next))
      corrected.add(next);
  return corrected;
}

function listCredits({ attributions }: Bundle, { copies, corrected }: Hidden): Bundle['attributions'] {
  return attributions.flatMap((credit) => {
    const { actionId = '', ...rest } = credit;
    const copy = copies.get(actionId);
    if (corrected.has(actionId) || (copy !== undefined && !hasWeight(credit))) return [];
    return copy === undefined ? [credit] : [{ ...rest, resourceCid: rest.resourceCid ?? copy }];
  });
}

interface Shown {
  hidden: Hidden;
  rename: (cid: string) => string;
  actions: readonly Action[];
}

/** The maker of a marked copy is the maker of its original, never somebody who only marked it. */
function listContents(bundle: Bundle, { hidden, rename, actions }: Shown): Resource[] {
  const canonical = toCanonical(bundle);
  const copies = new Set(hidden.copies.values());
  const known = new Map(bundle.resources.map((resource) => [resource.cid, resource]));
  const isMaker = (id: string | undefined, cid: string) =>
    actions.some(
      ({ performedBy, outputCids }) =>
        performedBy === id && outputCids.some((name) => canonical(name) === cid),
    );
  return bundle.resources
    .filter(({ cid }) => rename(cid) === cid)
    .map((resource) => {
      const work = workOf(resource.cid, hidden);
      const maker = known.get(work)?.createdBy;
      const { createdBy: _, ...rest } = resource;
      if (maker === undefined || (copies.has(work) && !isMaker(maker, work))) return rest;
      return { ...rest, createdBy: maker };
    });
}

/** Omits people whom only hidden records name. */
function listPeople(
  { entities, ...all }: Bundle,
  shown: Pick<Bundle, 'actions' | 'attributions' | 'resources'>,
): Bundle['entities'] {
  const [before, now] = [listNamed(all), listNamed(shown)];
  return entities.filter(({ id }) => now.has(id) || !before.has(id));
}

function listNamed({
  actions,
  attributions,
  resources,
}: Pick<Bundle, 'actions' | 'attributions' | 'resources'>) {
  return new Set([
    ...actions.map(({ performedBy }) => performedBy),
    ...attributions.map(({ entityId }) => entityId),
    ...resources.flatMap(({ createdBy, owner }) => [createdBy, owner]),
  ]);
}
