import { CONTRIBUTING_ROLES } from './claims.js';
import { hasWeight } from './credits.js';
import { canonicalNames, type LineageBundle, makersOf, type Step } from './lineage.js';

type Attribution = LineageBundle['attributions'][number];

/**
 * Adds `work` to the steps that made marked copies. A copy and its original are the same work, so the original gets the
 * credits. If the original is a marked copy too, both copies have the same `work`.
 *
 * A step gets a `work` only if no other step made its output, and if a step or an attribution records the original. If
 * nothing records the original, nobody would get the credits. Steps that lead to a cycle of marked copies get no
 * `work`.
 */
export function withWorks(bundle: LineageBundle, steps: readonly Step[]): readonly Step[] {
  const makers = makersOf(steps);
  const isOnlyMaker = ({ outputs }: Step) => outputs.every((cid) => makers.get(cid)?.length === 1);
  const marking = steps.filter((step) => step.marked !== undefined && isOnlyMaker(step));
  if (marking.length === 0) return steps;
  const credited = listCredited(bundle, marking);
  const marks = new Map<string, string>();
  for (const { marked = '', outputs } of marking)
    if (makers.has(marked) || credited.has(marked)) for (const copy of outputs) marks.set(copy, marked);
  const works = findWorks(marks);
  const found = new Set(marking);
  return steps.map((step) => (found.has(step) ? { ...step, work: works.get(step.outputs[0] ?? '') } : step));
}

/**
 * Returns the contents that attributions credit: with a weight, or with a contributing role and no action of `marking`.
 */
function listCredited(bundle: LineageBundle, marking: readonly Step[]): Set<string> {
  const canonical = canonicalNames(bundle);
  const ids = new Set(marking.map(({ id }) => id));
  const isCredit = (attribution: Attribution) =>
    hasWeight(attribution) ||
    (CONTRIBUTING_ROLES.includes(attribution.role) && !ids.has(attribution.actionId ?? ''));
  const credits = bundle.attributions.filter(isCredit);
  return new Set(
    credits.flatMap(({ resourceCid }) => (resourceCid === undefined ? [] : canonical(resourceCid))),
  );
}

/** `marks`: the original of each copy. Visits each copy once. */
function findWorks(marks: ReadonlyMap<string, string>): Map<string, string> {
  const works = new Map<string, string>();
  const cyclic = new Set<string>();
  for (const copy of marks.keys()) {
    const path = new Set<string>();
    let at = copy;
    for (let next = marks.get(at); next !== undefined; next = marks.get(at)) {
      if (path.has(at) || works.has(at) || cyclic.has(at)) break;
      path.add(at);
      at = next;
    }
    const isCyclic = path.has(at) || cyclic.has(at);
    for (const cid of path) {
      if (isCyclic) cyclic.add(cid);
      else works.set(cid, works.get(at) ?? at);
    }
  }
  return works;
}
