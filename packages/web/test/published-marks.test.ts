import { type PublishedHistory, workMakersOf } from '@colophon/model';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Credits } from '../src/public/credits.js';
import { Steps } from '../src/public/history-lists.js';
import { toRows } from '../src/public/lineage-rows.js';
import { LineageStrip } from '../src/public/lineage-strip.js';
import { nameHistory } from '../src/public/name-person.js';
import { factTexts } from '../src/strings/facts.js';
import { published } from '../src/strings/public.js';
import { texts as german } from '../src/translations/de/texts.js';
import { texts as spanish } from '../src/translations/es/texts.js';
import { texts as french } from '../src/translations/fr/texts.js';
import { texts as italian } from '../src/translations/it/texts.js';
import { texts as polish } from '../src/translations/pl/texts.js';

type Step = PublishedHistory['steps'][number];

let minute = 0;
function stepOf(type: string, by: string, said: Partial<Step> = {}): Step {
  minute += 1;
  const at = new Date(Date.UTC(2026, 2, 1, 9, minute)).toISOString();
  return { type, at, by, inputs: [], outputs: [], prompts: [], signed: false, ...said };
}
const photo = stepOf('generate', 'jonas', { outputs: ['photo'] });
const mark = stepOf('generate', 'maria', { inputs: ['photo'], outputs: ['own'], markedCid: 'photo' });
const [jonas, maria] = ['Jonas', 'Maria'].map((name) => ({ role: 'human', name }));

function historyOf(steps: Step[], given: Partial<PublishedHistory> = {}): PublishedHistory {
  const people = ['jonas', 'maria'].map((ref) => ({ ref, hidden: false, role: 'human', name: ref }));
  const facts: PublishedHistory['facts'] = {
    ...{ type: 'image', ai: 'generated', act: 'marked', makers: maria ? [maria] : [], tools: [] },
    ...{ sourceMakers: jonas ? [jonas] : [], steps: steps.length, sources: 1, complete: true },
  };
  return {
    ...{ id: 'A'.repeat(24), cid: 'own', title: null, publishedAt: photo.at, expiresAt: null, withheld: [] },
    ...{ hidden: 0, provable: false, path: '/app/p/A', people, steps, contents: [], credits: [], facts },
    ...given,
  };
}

/** A blank replaces each tag in the text. */
function textsIn(html: string, element: string): string[] {
  const found = html.match(new RegExp(`<${element}[ >].*?</${element}>`, 'gs')) ?? [];
  return found.map((one) =>
    one
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}
const draw = (part: FunctionComponent<{ history: PublishedHistory }>, history: PublishedHistory) =>
  renderToStaticMarkup(createElement(part, { history }));

describe('a published marked copy', () => {
  it('credits the maker as creator, and the other person as the one who marked the copy', () => {
    const credits = [
      { by: 'jonas', role: 'creator', step: 0, cid: 'photo' },
      { by: 'maria', role: 'creator', step: 1, cid: 'own', marksCopy: true as const },
    ];
    const rows = textsIn(draw(Credits, historyOf([photo, mark], { credits })), 'tr');
    expect(rows.slice(1)).toEqual(['jonas creator this content', 'maria marked the copy this content']);
  });

  it('gets a title that names the maker of the original, if it has no title of its own', () => {
    const history = historyOf([photo, mark]);
    expect(workMakersOf(history.facts).makers).toEqual([jonas]);
    expect(nameHistory(history)).toBe('Origin of a picture (Jonas)');
  });

  it('names the person who marked it, except if this person made the file', () => {
    const own = { ...mark, by: 'jonas' };
    const [byOther, byMaker] = [mark, own].map((step) => historyOf([photo, step]));
    const last = (history = historyOf([])) => textsIn(draw(Steps, history), 'p').at(-1);
    expect(last(byOther)).toBe('maria made a marked copy: this content from another file (…photo).');
    expect(last(byMaker)).toBe('Marked copy: this content from another file (…photo).');
    const strip = (history = historyOf([])) => textsIn(draw(LineageStrip, history), 'li').at(-1);
    expect(strip(byOther)).toBe('marked copy maria AI');
    expect(strip(byMaker)).toBe('marked copy AI');
    expect(strip(historyOf([photo, { ...mark, type: 'transform' }]))).toBe('marked copy maria AI');
    const wrong = { ...photo, by: 'maria' };
    const corrected = historyOf([wrong, { ...photo, at: mark.at, corrects: 0 }, mark]);
    expect(textsIn(draw(Steps, corrected), 'p').at(-1)).toContain('maria made a marked copy:');
    expect(strip(corrected)).toBe('marked copy maria AI');
  });

  it.each([{ published, factTexts }, german, french, spanish, italian, polish])(
    'names the maker first, and has a separate word for the person who marked it: $factTexts.acts.marked',
    (texts) => {
      const { marker, creditRoles } = texts.published;
      expect([...Object.values(creditRoles), '']).not.toContain(marker);
      const said = texts.factTexts.markedCopyOf('Jonas', 'Maria');
      expect(said.indexOf('Jonas')).toBeGreaterThan(0);
      expect(said.indexOf('Maria')).toBeGreaterThan(said.indexOf('Jonas'));
      expect(texts.factTexts.markedCopyOf('Jonas', '')).toMatch(/Jonas.*[^ ]$/);
    },
  );
});

it('a German sentence on a marked copy says that the second person marked it', () => {
  const { factTexts: facts, history } = german;
  expect(facts.markedCopyOf('Jonas', 'Maria')).toBe('Von Jonas, Kopie markiert von Maria');
  expect(facts.markedCopyOf('Jonas', '')).toBe('Von Jonas, markierte Kopie');
  const own = 'Diese Datei von Jonas ist eine markierte Kopie';
  expect(history.markedCopyOf('Diese Datei', 'Jonas', 'Maria')).toBe(`${own}, markiert von Maria`);
  expect(history.markedCopyOf('Diese Datei', 'Jonas', '')).toBe(own);
});

describe('the strip with the steps of a history', () => {
  const made = stepOf('create', 'maria', { outputs: ['a'] });
  const edited = stepOf('transform', 'maria', { inputs: ['a'], outputs: ['b'] });
  const copied = stepOf('transform', 'maria', { inputs: ['b'], outputs: ['c'], markedCid: 'b' });
  const copy = { ...mark, outputs: ['copy'] };
  const joined = stepOf('aggregate', 'maria', { inputs: ['c', 'copy'], outputs: ['own'] });
  it('begins a row for each source, and a row for the step that joins the sources', () => {
    const history = historyOf([made, edited, copied, photo, copy, joined]);
    const html = draw(LineageStrip, history);
    expect(textsIn(html, 'ol')).toEqual([
      'generated jonas AI marked copy maria AI',
      'made maria edited maria marked copy AI',
      'put together maria',
    ]);
    expect(html.match(/<ol[^>]*>/g)).toEqual(['<ol>', '<ol>', '<ol class="joined">']);
  });

  /** Each step is written as `inputs>outputs`. */
  const rowsOf = (...steps: string[]) => {
    const linked = steps.map((written) => {
      const [inputs = [], outputs = []] = written.split('>').map((part) => part.split('+').filter(Boolean));
      return { inputs, outputs, written };
    });
    return toRows(linked).map(({ steps: inRow, isJoined }) =>
      [...(isJoined ? ['→'] : []), ...inRow.map(({ written }) => written)].join(' '),
    );
  };

  it.each([
    ['one source', ['>a', 'a>b', 'b>c'], ['>a a>b b>c']],
    ['sources whose steps alternate', ['>a', '>x', 'a>b', 'x>y'], ['>a a>b', '>x x>y']],
    ['two results of one file', ['>a', 'a>b', 'a>c', 'b+c>d'], ['>a a>b', 'a>c', '→ b+c>d']],
    ['a step that does not use the previous row', ['>a', '>b', '>c', 'a+b>d'], ['>a', '>b', '>c', 'a+b>d']],
    ['a check before an edit', ['>a', 'a>', 'a>b'], ['>a a> a>b']],
    ['steps after rows join', ['>a', '>b', 'a+b>c', 'c>d'], ['>a', '>b', '→ a+b>c c>d']],
    ['an unrecorded source', ['z>a', 'a+z>b'], ['z>a a+z>b']],
  ])('has rows for %s', (_what, steps, rows) => {
    expect(rowsOf(...steps)).toEqual(rows);
  });

  it('shows only the first and last steps of a long history, and the number of omitted steps', () => {
    const chain = Array.from({ length: 12 }, (_, at) =>
      stepOf('transform', 'maria', { inputs: at === 0 ? [] : [`x${at - 1}`], outputs: [`x${at}`] }),
    );
    const history = historyOf([...chain.slice(0, 11), { ...chain[11], outputs: ['own'] } as Step]);
    const [row = '', ...others] = textsIn(draw(LineageStrip, history), 'ol');
    expect(others).toEqual([]);
    expect(row.match(/edited/g)).toHaveLength(7);
    expect(row).toContain('edited maria 5 more edited maria');
  });
});
