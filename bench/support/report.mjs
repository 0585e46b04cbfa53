export function createReport() {
  const figures = [];
  return {
    section(title) {
      console.log(`\n## ${title}\n`);
    },
    note(text) {
      console.log(`      ${text}`);
    },
    /** `target` is `{ atLeast }` or `{ atMost }`, in the unit of the figure. */
    figure(name, value, { unit = '', target = {} } = {}) {
      const met = isMet(value, target);
      figures.push({ name, met });
      const verdict = met === undefined ? '    ' : met ? 'ok  ' : 'MISS';
      console.log(`${verdict}  ${name}: ${format(value)}${unit}${describe(target, unit)}`);
    },
    /** `met` is undefined without a target. */
    verdict(name, line, met) {
      figures.push({ name, met });
      console.log(`${met === undefined ? '    ' : met ? 'ok  ' : 'MISS'}  ${line}`);
    },
    close() {
      const missed = figures.filter(({ met }) => met === false);
      const judged = figures.filter(({ met }) => met !== undefined);
      console.log(`\n${judged.length - missed.length} of ${judged.length} targets met.`);
      for (const { name } of missed) console.log(`  missed: ${name}`);
      return missed.length;
    },
  };
}

function isMet(value, { atLeast, atMost }) {
  if (atLeast !== undefined) return value >= atLeast;
  return atMost === undefined ? undefined : value <= atMost;
}

function describe({ atLeast, atMost }, unit) {
  if (atLeast !== undefined) return ` (target: at least ${atLeast}${unit})`;
  return atMost === undefined ? '' : ` (target: at most ${atMost}${unit})`;
}

function format(value) {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(3);
}
