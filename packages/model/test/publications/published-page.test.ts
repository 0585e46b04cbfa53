import { describe, expect, it, vi } from 'vitest';
import { listLicenses, type PublishedHistory, renderPublishedPage } from '../../src/index.js';
import { AT, type Given, historyOf, stepAt } from '../support/published-history.js';

describe('the page of a published history', () => {
  it('escapes every value', () => {
    const evil = `<img src=x onerror="alert('1')">&`;
    const { body } = renderPublishedPage(
      historyOf({
        title: evil,
        picture: `/x"${evil}`,
        people: [{ ref: 'r', hidden: false, role: evil, name: evil }],
        steps: [stepAt(AT, evil, { tool: { provider: evil, model: evil }, inputs: [evil] })],
        contents: [{ cid: evil, type: evil, title: evil, recordedAt: AT }],
        facts: { type: evil, mimeType: evil, tools: [evil], makers: [{ role: 'human', name: evil }] },
      }),
    );
    expect(body).not.toContain('<img src=x');
    expect(body).not.toContain('onerror="');
    expect(body).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;');
  });

  it('shows “Made without AI” in exactly the steps whose records state that no AI was used', () => {
    const ann = { ref: 'r', hidden: false, role: 'human', name: 'Ann' };
    const steps = [
      stepAt(AT, 'create', { outputs: ['source'], withoutAi: true }),
      stepAt(AT, 'transform', { inputs: ['source'], withoutAi: true }),
      stepAt(AT, 'transform'),
    ];
    const { body } = renderPublishedPage(historyOf({ people: [ann], steps }));
    const said = body.split('<li>').map((item) => /Made without AI by[^<]*/.exec(item)?.[0]);
    const stated = 'Made without AI by Ann, as its record states.';
    expect(said.slice(1, 4)).toEqual([stated, stated, undefined]);
  });

  it('names a step that made a marked copy', () => {
    const ann = { ref: 'r', hidden: false, role: 'human', name: 'Ann' };
    const step = stepAt(AT, 'generate', { inputs: ['source'], markedCid: 'source' });
    const facts: Given['facts'] = { act: 'marked', makers: [{ role: 'human', name: 'Ann' }] };
    const { body, description } = renderPublishedPage(historyOf({ people: [ann], steps: [step], facts }));
    expect(body).toContain('<strong>Ann</strong> made a marked copy: this content from another file');
    expect(description).toContain('Marked copy by Ann.');
  });

  it('names the makers of the original before the marker of the copy, and only them in the title', () => {
    const makers = [{ role: 'human', name: 'Ann' }];
    const partial: Given['facts'] = { act: 'marked', makers };
    const facts: Given['facts'] = { ...partial, sourceMakers: [{ role: 'human', name: 'Bo' }] };
    const { title, description } = renderPublishedPage(historyOf({ facts }));
    expect([title, description]).toEqual([
      'Origin of a picture (Bo)',
      'No AI recorded. By Bo, marked copy by Ann.',
    ]);
    expect(renderPublishedPage(historyOf({ facts: partial })).title).toBe('Origin of a picture');
  });

  it('does not say who marked a copy if the performer of the mark also made its original', () => {
    const ann = { ref: 'r', hidden: false, role: 'human', name: 'Ann' };
    const steps = [
      stepAt(AT, 'create', { outputs: ['source'] }),
      stepAt(AT, 'generate', { inputs: ['source'], markedCid: 'source' }),
    ];
    const makers = [{ role: 'human', name: 'Ann' }];
    const facts: Given['facts'] = { act: 'marked', makers, sourceMakers: makers };
    const { body, description } = renderPublishedPage(historyOf({ people: [ann], steps, facts }));
    expect(body).toContain('</time>: Marked copy: this content from another file');
    expect(body).not.toContain('made a marked copy');
    expect(description).toContain('By Ann, marked copy.');
  });

  it('says whose statements the records are, and that nobody checked them', () => {
    const ann = { ref: 'r', hidden: false, role: 'human', name: 'Ann' };
    const bot = { ...ann, ref: 'bot', role: 'ai', name: 'Bot' };
    const steps = [stepAt(AT, 'create'), stepAt(AT, 'generate', { by: 'bot' })];
    const statementsBy = (people: PublishedHistory['people']) =>
      renderPublishedPage(historyOf({ people, steps })).body.match(
        /statements of (.+?)\. Nobody checked/,
      )?.[1];
    expect(statementsBy([ann, bot])).toBe('Ann');
    const { name: _, ...unnamed } = ann;
    expect(statementsBy([unnamed, bot])).toBe('the people who took part');
    expect(statementsBy([{ ...ann, ref: 'other' }])).toBe('the people who took part');
  });

  it('shows the licence of the content, but not those of other contents', () => {
    const licensed = (type: string) => ({ extensions: { 'ext:license@1.0.0': { type } } });
    const licenseIn = (given: Given) =>
      renderPublishedPage(historyOf(given)).body.match(/<dt>Licence<\/dt><dd>(.+?)<\/dd>/)?.[1];
    const steps = [
      stepAt(AT, 'create', { outputs: ['source'], ...licensed('CC0-1.0') }),
      stepAt(AT, 'transform', licensed('CC-BY-4.0')),
    ];
    expect(licenseIn({ steps })).toBe('CC-BY-4.0');
    const content = { cid: 'own', type: 'image', recordedAt: AT };
    expect(licenseIn({ steps, contents: [{ ...content, ...licensed('MIT') }] })).toBe('MIT, CC-BY-4.0');
    expect(licenseIn({ contents: [{ ...content, ...licensed('CC-BY-4.0') }], steps })).toBe('CC-BY-4.0');
    expect(licenseIn({ steps: [stepAt(AT, 'create')] })).toBeUndefined();
  });

  it('names only licences from a maker, the owner or the first importer of the content', () => {
    const licensed = (type: string) => ({ extensions: { 'ext:license@1.0.0': { type } } });
    const [made, imported] = [stepAt(AT, 'create', { by: 'ann' }), stepAt(AT, 'reference', { by: 'ann' })];
    const other = stepAt(AT, 'reference', { by: 'bo', ...licensed('MIT') });
    const own = { cid: 'own', type: 'image', recordedAt: AT };
    const credit = { by: 'ann', role: 'creator', ...licensed('CC0-1.0') };
    const cases: [string, Given, string[]][] = [
      ['a later reference of another person', { steps: [made, other] }, []],
      ['a later import by another person', { steps: [imported, other] }, []],
      ['the first import', { steps: [other, imported] }, ['MIT']],
      ['a later step of the maker', { steps: [made, { ...other, by: 'ann' }] }, ['MIT']],
      ['the owner', { steps: [made, other], contents: [{ ...own, owner: 'bo' }] }, ['MIT']],
      ['the recorded maker', { steps: [other], contents: [{ ...own, by: 'ann' }] }, []],
      [
        'a credit of the maker',
        { steps: [made], license: true, credits: [{ ...credit, cid: 'own' }] },
        ['CC0-1.0'],
      ],
      [
        'a credit for the step',
        { steps: [made], license: true, credits: [{ ...credit, step: 0 }] },
        ['CC0-1.0'],
      ],
      [
        'a credit in a publication without `license: true`',
        { steps: [made], credits: [{ ...credit, cid: 'own' }] },
        [],
      ],
      [
        'a credit of another person',
        { steps: [made], license: true, credits: [{ ...credit, by: 'bo', step: 0 }] },
        [],
      ],
      [
        'a credit for another content',
        { steps: [made], license: true, credits: [{ ...credit, cid: 'x' }] },
        [],
      ],
    ];
    for (const [title, given, expected] of cases)
      expect(listLicenses(historyOf(given)), title).toEqual(expected);
  });

  it('truncates the name of a licence after 256 characters', () => {
    const extensions = { 'ext:license@1.0.0': { type: 'x'.repeat(1_000) } };
    const names = listLicenses(historyOf({ steps: [stepAt(AT, 'create', { extensions })] }));
    expect(names).toEqual([`${'x'.repeat(255)}…`]);
  });

  it('describes the licence for other sites only if the publication has `license: true`', () => {
    const steps = [stepAt(AT, 'create', { extensions: { 'ext:license@1.0.0': { type: 'CC-BY-4.0' } } })];
    expect(renderPublishedPage(historyOf({ steps, license: true })).description).toBe(
      'No AI recorded. Licence: CC-BY-4.0.',
    );
    expect(renderPublishedPage(historyOf({ steps })).description).toBe('No AI recorded.');
  });

  it('creates one formatter for all days', () => {
    const inDate = vi.spyOn(Date.prototype, 'toLocaleDateString');
    const { DateTimeFormat } = Intl;
    const created = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function create(...given) {
      return new DateTimeFormat(...given);
    });
    const steps = ['2026-03-02T00:00:00.000Z', '1999-12-31T23:59:59.999Z', 'unknown'].map((at) =>
      stepAt(at, 'create'),
    );
    const { body } = renderPublishedPage(historyOf({ steps }));
    expect([inDate.mock.calls.length, created.mock.calls.length]).toEqual([0, 1]);
    for (const day of ['2 March 2026', '31 December 1999', 'Invalid Date', '21 November 2026'])
      expect(body).toContain(day);
    vi.restoreAllMocks();
  });

  it('lists the steps by date', () => {
    const steps = [
      stepAt('2026-03-02T00:00:00.000Z', 'transform'),
      stepAt('2026-03-01T00:00:00.000Z', 'create'),
    ];
    const { body } = renderPublishedPage(historyOf({ steps }));
    expect([...body.matchAll(/<time datetime="([^T]+)/g)].map(([, day]) => day)).toEqual([
      '2026-03-01',
      '2026-03-02',
    ]);
  });

  it('lists a source before the edit that used it, even with a later date and in a cycle', () => {
    const edit = stepAt('2026-03-01T00:00:00.000Z', 'transform', { inputs: ['shot'] });
    const shot = stepAt('2026-03-02T00:00:00.000Z', 'create', { outputs: ['shot'], inputs: ['own'] });
    const other = stepAt('2026-02-01T00:00:00.000Z', 'verify', { outputs: [] });
    const { body } = renderPublishedPage(historyOf({ steps: [edit, shot, other] }));
    expect([...body.matchAll(/<time datetime="([^T]+)/g)].map(([, day]) => day)).toEqual([
      '2026-02-01',
      '2026-03-02',
      '2026-03-01',
    ]);
  });

  it('names the makers of an edit, and those of its sources', () => {
    const makers = [{ role: 'human', name: 'Ann' }];
    const sourceMakers = [{ role: 'human', name: 'Bo' }, { role: 'ai' }, { role: 'ai', name: 'Bot' }];
    const { description } = renderPublishedPage(
      historyOf({ facts: { act: 'edited', makers, sourceMakers } }),
    );
    expect(description).toBe('No AI recorded. Edited by Ann from work by Bo, an AI and the AI Bot.');
  });

  it.each([
    ['generated', 'AI-generated', 'AI GENERATED'],
    ['assisted', 'AI-edited', 'AI MODIFIED'],
    ['sources', 'AI in sources', 'AI'],
    ['withheld', 'AI use not disclosed', undefined],
    ['unstated', 'No AI recorded', undefined],
  ] as const)('states the level %s in the description and as a label', (ai, words, icon) => {
    const { description, body } = renderPublishedPage(historyOf({ facts: { ai } }));
    expect(description).toBe(`${words}.`);
    expect(/alt="(AI[^"]*)"/.exec(body)?.[1]).toBe(icon);
  });

  it('names the maker who states that no AI was used; the statement does not cover sources', () => {
    const withoutAiBy = { role: 'human', name: 'Ann' };
    const describe = (facts: Given['facts']) =>
      renderPublishedPage(historyOf({ facts: { withoutAiBy, ...facts } })).description;
    expect(describe({ ai: 'human' })).toBe('Made without AI by Ann, as its record states.');
    expect(describe({ ai: 'sources', sources: 1 })).toBe(
      'AI in sources. Made without AI by Ann, as its record states for this file, but not for its sources.',
    );
    expect(describe({ ai: 'assisted' })).toBe('AI-edited.');
  });

  it('names nobody if the history does not say who stated that no AI was used for the file', () => {
    const makers = [{ role: 'human', name: 'Ann' }, { role: 'human' }];
    const describe = (sources: number) =>
      renderPublishedPage(historyOf({ facts: { ai: 'human', makers, sources } })).description;
    expect(describe(0)).toMatch(/^Made without AI, as its record states\. Made by Ann/);
    expect(describe(1)).toMatch(
      /^Made without AI, as its record states for this file, but not for its sources\./,
    );
  });

  it('names a content without a title by its type and its makers', () => {
    expect(renderPublishedPage(historyOf({ facts: { type: 'video' } })).title).toBe('Origin of a video');
    expect(renderPublishedPage(historyOf({ facts: { type: 'ext:x' } })).title).toBe('Origin of a content');
    const makers = [{ role: 'human', name: 'Ann' }, { role: 'ai', name: 'Painter' }, { role: 'human' }];
    expect(renderPublishedPage(historyOf({ facts: { makers } })).title).toBe(
      'Origin of a picture (Ann and the AI Painter)',
    );
  });

  it('names at most 3 makers, and states the number of the others', () => {
    const named = ['Ann', 'Bo', 'Cy', 'Di', 'Eve'].map((name) => ({ role: 'human', name }));
    const read = (facts: NonNullable<Given['facts']>) => {
      const { title, description } = renderPublishedPage(historyOf({ facts }));
      return [title, description.replace(/^.*? Made/, 'Made')];
    };
    expect(read({ makers: named.slice(0, 2) })).toEqual([
      'Origin of a picture (Ann and Bo)',
      'Made by Ann and Bo.',
    ]);
    expect(read({ makers: named.slice(0, 4) })).toEqual([
      'Origin of a picture (Ann, Bo, Cy and 1 other)',
      'Made by Ann, Bo, Cy and 1 other.',
    ]);
    expect(read({ makers: named, furtherMakers: 2 })).toEqual([
      'Origin of a picture (Ann, Bo, Cy and 4 others)',
      'Made by Ann, Bo, Cy and 4 others.',
    ]);
  });

  it('stays short for 500 steps with 2,000 inputs each, and 5,000 people', () => {
    const inputs = Array.from({ length: 2_000 }, (_, at) => `content ${at}`.padEnd(64, 'x'));
    const steps = Array.from({ length: 500 }, () => stepAt(AT, 'aggregate', { inputs }));
    const people = Array.from({ length: 5_000 }, (_, at) => ({
      ref: `ref ${at}`,
      hidden: false,
      role: 'human',
    }));
    const { body } = renderPublishedPage(historyOf({ steps, people, facts: { complete: false } }));
    expect(body.length).toBeLessThan(300_000);
    expect(body).toContain('and 1995 more');
    expect(body).toContain('and 4900 more');
    expect(body).toContain('Only a part of the history is shown.');
  });

  it('truncates the names of makers and performers after 256 characters', () => {
    const name = 'x'.repeat(100_000);
    const people = [{ ref: 'r', hidden: false, role: 'human', name }];
    const maker = { role: 'ai', name };
    const facts = { makers: [{ role: 'human', name }], sourceMakers: [maker], withoutAiBy: maker };
    const page = renderPublishedPage(historyOf({ people, steps: [stepAt(AT, 'create')], facts }));
    expect(page.title).toBe(`Origin of a picture (${'x'.repeat(255)}…)`);
    expect(page.body).toContain(`statements of ${'x'.repeat(255)}…. Nobody`);
    expect(JSON.stringify(page)).not.toContain('x'.repeat(256));
  });

  it.each([
    ['that HTML escapes', '&'],
    ['of several bytes', '像'],
  ])('stays below 1 MiB for long texts of characters %s, and says how much it leaves out', (_, character) => {
    const long = character.repeat(1_000);
    const outputs = Array.from({ length: 10 }, (_, at) => `content ${at}`);
    const licensed = (at: number) => ({ extensions: { 'ext:license@1.0.0': { type: `${at} ${long}` } } });
    const tool = { provider: long.slice(0, 256), model: long.slice(0, 256), version: long.slice(0, 128) };
    const steps = Array.from({ length: 500 }, (_, at) =>
      stepAt(AT, 'create', { inputs: outputs, outputs: ['own', ...outputs], tool, ...licensed(at) }),
    );
    const people = ['r', ...Array.from({ length: 200 }, (_, at) => `ref ${at}`)].map((ref) => ({
      ...{ ref, hidden: false, role: 'human', name: long },
    }));
    const contents = ['own', ...outputs].map((cid) => ({
      ...{ cid, type: 'image', title: long.slice(0, 200), recordedAt: AT },
    }));
    const facts = { steps: 500, makers: [{ role: 'human', name: long }], tools: [`${long}1`, `${long}2`] };
    const page = renderPublishedPage(historyOf({ steps, people, contents, facts, license: true }));
    const bytesOf = (text: string) => new TextEncoder().encode(text).length;
    const [, listOfSteps = ''] = /<ol>(.*?)<\/ol>/s.exec(page.body) ?? [];
    expect(bytesOf(listOfSteps)).toBeLessThan(2 ** 19 + 2 ** 15);
    expect(bytesOf(page.body + page.title + page.description)).toBeLessThan(2 ** 20);
    const listed = page.body.split('<li><time').length - 1;
    expect(page.body).toContain(`This page leaves out the last ${500 - listed} steps`);
    expect(page.description).toContain('and 495 more.');
    expect(listed).toBeGreaterThan(20);
  });
});
