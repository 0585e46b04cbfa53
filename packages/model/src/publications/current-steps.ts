import type { Bundle } from '../records/bundle.js';
import type { PublishedHistory } from './published-history.js';

type Step = Pick<PublishedHistory['steps'][number], 'inputs' | 'outputs' | 'corrects'>;

/**
 * Maps the index of each corrected step to the index of the step that corrects it. A history from a service of an
 * earlier version has no corrections. Ignores a `corrects` that is not the index of an earlier step.
 *
 * @example
 * const made = { inputs: [], outputs: ['b'] };
 * [...findCorrectedSteps([made, { ...made, corrects: 0 }])]; // => [[0, 1]]
 */
export function findCorrectedSteps(steps: readonly Pick<Step, 'corrects'>[]): Map<number, number> {
  return new Map(
    steps.flatMap(({ corrects }, place) =>
      corrects === undefined || corrects >= place ? [] : [[corrects, place]],
    ),
  );
}

/**
 * The parts of a history that count. These do not count: corrected steps, contents that only corrected steps used as a
 * source (abandoned), steps whose outputs are all abandoned, and steps without outputs whose inputs are all abandoned.
 */
export interface CurrentPart {
  isCurrent(place: number): boolean;
  /** Only corrected steps used the content as a source, directly or indirectly. */
  isAbandoned(cid: string): boolean;
}

/** Returns undefined if no step is corrected: all parts count. */
export function findCurrent(cid: string, steps: readonly Step[]): CurrentPart | undefined {
  const corrected = findCorrectedSteps(steps);
  if (corrected.size === 0) return undefined;
  const valid = steps.filter((_, place) => !corrected.has(place));
  const used = steps.flatMap(({ inputs }, place) => (corrected.has(place) ? inputs : []));
  const kept = withSources([cid], valid);
  const left = withSources(used, steps);
  const isAbandoned = (content: string) => left.has(content) && !kept.has(content);
  const isCurrent = (place: number) => {
    const { inputs = [], outputs = [] } = steps[place] ?? {};
    const about = outputs.length === 0 ? inputs : outputs;
    return !corrected.has(place) && (about.length === 0 || !about.every(isAbandoned));
  };
  return { isCurrent, isAbandoned };
}

/**
 * Returns `contents`, and all contents from which the steps made these contents, directly or indirectly.
 *
 * @example
 * const [crop, print] = [{ inputs: ['photo'], outputs: ['crop'] }, { inputs: ['crop'], outputs: ['print'] }];
 * [...withSources(['print'], [crop, print])]; // => ['print', 'crop', 'photo']
 */
export function withSources(
  contents: readonly string[],
  steps: readonly Pick<Step, 'inputs' | 'outputs'>[],
): Set<string> {
  const makers = new Map<string, Pick<Step, 'inputs' | 'outputs'>[]>();
  for (const step of steps) {
    for (const cid of step.outputs) {
      const known = makers.get(cid);
      if (known === undefined) makers.set(cid, [step]);
      else known.push(step);
    }
  }
  const found = new Set(contents);
  const walked = new Set<Pick<Step, 'inputs' | 'outputs'>>();
  // The loop also visits the contents that it adds to the set.
  for (const cid of found) {
    for (const step of makers.get(cid) ?? []) {
      if (walked.has(step)) continue;
      walked.add(step);
      for (const input of step.inputs) found.add(input);
    }
  }
  return found;
}

/** The actions must have the order of the steps of `findCurrent`. */
export function toCurrentBundle(bundle: Bundle, { isCurrent, isAbandoned }: CurrentPart): Bundle {
  const { aliases = {}, actions, attributions, resources } = bundle;
  const left = new Set(actions.filter((_, place) => !isCurrent(place)).map(({ id }) => id));
  return {
    ...bundle,
    actions: actions.filter(({ id }) => !left.has(id)),
    attributions: attributions.filter(
      ({ actionId = '', resourceCid = '' }) =>
        !left.has(actionId) && !isAbandoned(aliases[resourceCid] ?? resourceCid),
    ),
    resources: resources.filter(({ cid }) => !isAbandoned(cid)),
  };
}
