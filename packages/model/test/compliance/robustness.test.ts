import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Robustness, robustnessOfMethods } from '../../src/index.js';

/** Reads the tables of a Markdown page, each as rows of cells, by the text of its first cell. */
function readTable(file: string, head: string, at = 0): string[][] {
  const page = readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');
  const table = page
    .split('\n\n')
    .filter((block) => block.startsWith(`| ${head} |`))
    .at(at);
  const rows = (table ?? '').split('\n').map((line) => line.slice(2, -2).split(' | '));
  return rows.slice(2).map((cells) => cells.map((cell) => cell.trim()));
}

/** `100 (80 to 100)` and `100` as figures. */
function toFigure(cell: string): { value: number; low?: number; high?: number } {
  const [, value, low, high] = /^([\d.]+)(?: \((\d+) to (\d+)\))?$/.exec(cell) ?? [];
  if (value === undefined) throw new Error(`no figure: ${cell}`);
  return { value: Number(value), ...(low && high ? { low: Number(low), high: Number(high) } : {}) };
}

const methodOf = (method: string) => robustnessOfMethods().find((one) => one.method === method) as Robustness;

const TABLES = [
  { method: 'image-mark/1', head: 'alteration', columns: { generated: 1, photographs: 3 } },
  { method: 'image-512/1', head: 'alteration', columns: { 'found first': 1, 'verdict auto': 2 } },
  { method: 'audio-512/1', head: 'change', columns: { 'lowest agreement': 1, median: 2 } },
];

describe('the robustness of the methods', () => {
  it.each(TABLES)('of $method has exactly the figures of its page', ({ method, head, columns }) => {
    const { source, figures } = methodOf(method);
    // The row of other melodies is no alteration; the limits of the method state it.
    const rows = readTable(source, head).filter(([alteration]) => !alteration?.startsWith('100 melodies'));
    expect(rows.length).toBeGreaterThan(4);
    const measured = rows.flatMap(([alteration = '', ...cells]) =>
      Object.entries(columns).map(([of, at]) => ({ alteration, of, ...toFigure(cells[at - 1] ?? '') })),
    );
    expect(figures).toEqual(measured);
  });

  it.each([
    ['image-mark/1', ['0 of 115', '10^-6', '7 degrees', 'about a third of the area']],
    ['image-512/1', ['105 of these pictures', '2.2 %', '140']],
    ['audio-512/1', ['0.674', '3 %', '40 melodies of 30 s']],
  ])('of %s states limits that its page has', (method, facts) => {
    const { source, limits, measures } = methodOf(method);
    const page = readFileSync(new URL(`../../../../${source}`, import.meta.url), 'utf8').replaceAll(
      '\n',
      ' ',
    );
    const said = [measures, ...limits].join(' ').replace('105 recorded pictures', '105 of these pictures');
    for (const fact of facts)
      expect([fact, page.includes(fact), said.includes(fact)]).toEqual([fact, true, true]);
  });
});
