import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Robustness, robustnessOfMethods } from '../../src/index.js';

/** `at`: index among the tables that begin with the cell `head`. */
function readTable(file: string, head: string, at = 0): string[][] {
  const page = readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');
  const table = page
    .split('\n\n')
    .filter((block) => block.startsWith(`| ${head} |`))
    .at(at);
  const rows = (table ?? '').split('\n').map((line) => line.slice(2, -2).split(' | '));
  return rows.slice(2).map((cells) => cells.map((cell) => cell.trim()));
}

/** Parses `100 (80 to 100)`, `100 (80 to 100) each` or `100`. */
function toFigure(cell: string): { value: number; low?: number; high?: number } {
  const [, value, low, high] = /^([\d.]+)(?: \((\d+) to (\d+)\)(?: each)?)?$/.exec(cell) ?? [];
  if (value === undefined) throw new Error(`no figure: ${cell}`);
  return { value: Number(value), ...(low && high ? { low: Number(low), high: Number(high) } : {}) };
}

/** `entry`: index among the entries of the method. `image-mark/1` has one for pictures and one for videos. */
const methodOf = (method: string, entry = 0) =>
  robustnessOfMethods().filter((one) => one.method === method)[entry] as Robustness;

const TABLES: {
  method: string;
  entry?: number;
  head: string;
  at?: number;
  columns: Record<string, number>;
}[] = [
  { method: 'image-mark/1', head: 'alteration', columns: { generated: 1, photographs: 3 } },
  {
    ...{ method: 'image-mark/1', entry: 1, head: 'alteration', at: 2 },
    columns: { 'generated pictures': 1, photographs: 2 },
  },
  { method: 'image-512/1', head: 'alteration', columns: { 'found first': 1, 'verdict auto': 2 } },
  { method: 'audio-512/1', head: 'change', columns: { 'lowest agreement': 1, median: 2 } },
  { method: 'sound-mark/1', head: 'alteration', at: 1, columns: { music: 1, 'speech-like': 2 } },
  { method: 'video-frames/1', head: 'change', at: 1, columns: { found: 1, 'verdict auto': 2 } },
  { method: 'text-512/1', head: 'alteration of a text', columns: { 'found first': 1, 'verdict auto': 2 } },
  {
    ...{ method: 'svg-512/1', head: 'alteration of an SVG file' },
    columns: { 'found first': 1, 'verdict auto': 2 },
  },
];

describe('the robustness', () => {
  it.each(TABLES)(
    'of $method has exactly the figures on the page in its member `source`',
    ({ method, entry, head, at, columns }) => {
      const { source, figures } = methodOf(method, entry);
      const others = /^(100 melodies|wrong payloads|[\d,]+ pairs)/;
      const rows = readTable(source, head, at).filter(([alteration = '']) => !others.test(alteration));
      expect(rows.length).toBeGreaterThan(4);
      const measured = rows.flatMap(([alteration = '', ...cells]) =>
        Object.entries(columns).map(([of, at]) => ({ alteration, of, ...toFigure(cells[at - 1] ?? '') })),
      );
      expect(figures).toEqual(measured);
    },
  );

  it.each([
    [
      'image-mark/1',
      [
        'no mark in 2,615 crops of unmarked',
        'A faster implementation of the detector found none in 10^6 overlapping crops of 50 photographs',
        '10^-6',
        '7 degrees',
        'about a third of the area',
        '38 %',
        'first 20',
      ],
    ],
    ['image-512/1', ['105 of these pictures', '2.2 %', '140']],
    ['audio-512/1', ['0.674', '3 %', '40 melodies of 30 s']],
    ['sound-mark/1', ['0 of 120', '10^-6', '8 of 8', 'one song', 'Music cut to 10 s misses']],
    ['text-512/1', ['60 pages of English text', '60 other texts', 'below 5 %']],
    ['svg-512/1', ['60 other drawings', 'below 5 %']],
    ['video-frames/1', ['7.1 %', '1,547 pairs of different videos', '0.2 %', '14 videos']],
  ])('of %s states limits that are also on its page', (method, facts) => {
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
