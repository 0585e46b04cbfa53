import type { Action } from './action.js';

/** The data that determines the order of steps: the time of a step in Unix milliseconds, and its inputs and outputs. */
export interface StepOrder {
  atMs: number;
  inputs: readonly string[];
  outputs: readonly string[];
}

/**
 * Returns the steps by time, oldest first. The first step that made a content precedes the steps that used it, even if
 * the recorded times are in the reverse order: somebody may record an edit first and its source afterwards. If steps
 * form a cycle, at least one of them precedes a step that made one of its inputs.
 *
 * @example
 * const edit = { atMs: 1, inputs: ['photo'], outputs: ['poster'] };
 * const shot = { atMs: 2, inputs: [], outputs: ['photo'] };
 * orderSteps([edit, shot], (step) => step).indexOf(shot); // => 0
 */
export function orderSteps<T>(steps: readonly T[], toOrder: (step: T) => StepOrder): T[] {
  const byTime = steps
    .map((step) => ({ step, ...toOrder(step) }))
    .sort((one, other) => one.atMs - other.atMs);
  const makersOf = findMakers(byTime);
  const begun = new Set<StepOrder>();
  const ordered = new Set<(typeof byTime)[number]>();
  for (const first of byTime) {
    const waiting = [first];
    for (let top = waiting.at(-1); top !== undefined; top = waiting.at(-1)) {
      const makers = begun.has(top) ? [] : top.inputs.flatMap((name) => makersOf.get(name) ?? []);
      begun.add(top);
      const before = makers.filter((maker) => !begun.has(maker));
      waiting.push(...before);
      if (before.length > 0) continue;
      waiting.pop();
      ordered.add(top);
    }
  }
  return [...ordered].map(({ step }) => step);
}

/** A step with the content as input and output did not make it. */
function findMakers<S extends StepOrder>(byTime: readonly S[]): Map<string, S> {
  const makersOf = new Map<string, S>();
  for (const step of byTime) {
    const used = new Set(step.inputs);
    for (const name of step.outputs) if (!used.has(name) && !makersOf.has(name)) makersOf.set(name, step);
  }
  return makersOf;
}

/** Returns actions in the order of `orderSteps`. `aliases` has the canonical CID of each alias, as in a bundle. */
export function orderActions(
  actions: readonly Action[],
  aliases: Readonly<Record<string, string>> = {},
): Action[] {
  const canonical = (names: readonly string[]) => names.map((name) => aliases[name] ?? name);
  return orderSteps(actions, ({ timestamp, inputCids, outputCids }) => ({
    atMs: Date.parse(timestamp),
    inputs: canonical(inputCids),
    outputs: canonical(outputCids),
  }));
}
