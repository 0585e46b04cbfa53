export interface LinkedStep {
  inputs: readonly string[];
  outputs: readonly string[];
}

/**
 * Each step except the first uses an output of a step before it. `isJoined`: the first step uses contents of several
 * rows, including the row above.
 */
export interface LineageRow<Step> {
  steps: Step[];
  isJoined: boolean;
}

/**
 * A step continues a row if it uses no content of other rows, but an output of the last step with outputs in this row.
 * `steps`: each step follows the makers of its inputs.
 */
export function toRows<Step extends LinkedStep>(steps: readonly Step[]): LineageRow<Step>[] {
  const rows: (LineageRow<Step> & { ends: Set<string> })[] = [];
  const rowsOf = new Map<string, Set<number>>();
  for (const step of steps) {
    const sources = new Set(step.inputs.flatMap((cid) => [...(rowsOf.get(cid) ?? [])]));
    const [first = -1] = sources;
    const follows = sources.size === 1 && step.inputs.some((cid) => rows[first]?.ends.has(cid));
    const at = follows ? first : rows.length;
    const row = rows[at] ?? { steps: [], isJoined: sources.size > 1 && sources.has(at - 1), ends: new Set() };
    row.steps.push(step);
    // A step without outputs, such as a check, keeps the contents of the step before it.
    if (step.outputs.length > 0 || !follows) row.ends = new Set(step.outputs);
    rows[at] = row;
    for (const cid of step.outputs) rowsOf.set(cid, (rowsOf.get(cid) ?? new Set()).add(at));
  }
  return rows.map(({ steps: inRow, isJoined }) => ({ steps: inRow, isJoined }));
}

/** `isShown` gets the place of a step in all rows. */
export function pickFromRows<Step>(
  rows: readonly LineageRow<Step>[],
  isShown: (place: number) => boolean,
): LineageRow<Step>[] {
  let place = -1;
  return rows.flatMap(({ steps, isJoined }) => {
    const shown = steps.filter(() => isShown(++place));
    return shown.length === 0 ? [] : [{ steps: shown, isJoined: isJoined && shown[0] === steps[0] }];
  });
}
