import { describe, expect, it } from 'vitest';
import {
  type Action,
  CORRECTION_EXTENSION,
  countUnmade,
  listCurrentCredits,
  listCurrentPeople,
  listLicenses,
  MARK_EXTENSION,
  namePerformers,
  type PublishedHistory,
  renderPublishedPage,
  type Withholdable,
} from '../../src/index.js';
import { describeGiven } from '../support/given-bundle.js';
import { AT, historyOf, stepAt } from '../support/published-history.js';

describe('the page of a published history', () => {
  it('omits performers, credits and unrecorded sources of a content that only a corrected step used', () => {
    const people = ['ann', 'bo', 'cy'].map((ref) => ({ ref, hidden: false, role: 'human', name: ref }));
    const steps = [
      stepAt(AT, 'transform', { by: 'cy', inputs: ['unmade'], outputs: ['wrong'] }),
      stepAt(AT, 'transform', { by: 'ann', inputs: ['wrong'] }),
      stepAt(AT, 'transform', { by: 'bo', inputs: ['right'], corrects: 1 }),
    ];
    const credits = [
      { by: 'cy', role: 'author', step: 0 },
      { by: 'cy', role: 'author', cid: 'wrong' },
      { by: 'ann', role: 'author', step: 1 },
      { by: 'bo', role: 'author', step: 2 },
      { by: 'ann', role: 'author', cid: 'own' },
    ];
    const history = historyOf({ people, steps, credits });
    expect(namePerformers(history)).toEqual(['bo']);
    expect(listCurrentCredits(history)).toEqual(credits.slice(3));
    expect(countUnmade(history)).toBe(1);
    expect(countUnmade(historyOf({ ...history, facts: { complete: false } }))).toBe(0);
    const uncorrected = historyOf({ people, credits, steps: steps.slice(0, 2) });
    expect(namePerformers(uncorrected)).toEqual(['ann', 'cy']);
    expect([listCurrentCredits(uncorrected).length, countUnmade(uncorrected)]).toEqual([5, 1]);
  });

  it('links a corrected step and its correction, and names only the current performers', () => {
    const people = ['ann', 'bo'].map((ref) => ({ ref, hidden: false, role: 'human', name: ref }));
    const license = (type: string) => ({ extensions: { 'ext:license@1.0.0': { type } } });
    const steps = [
      stepAt(AT, 'create', { by: 'ann', ...license('CC0-1.0') }),
      stepAt(AT, 'create', { by: 'bo', corrects: 0, ...license('CC-BY-4.0') }),
      stepAt(AT, 'verify', { by: 'bo', outputs: [], inputs: ['own'], corrects: 9 }),
    ];
    const history = historyOf({ people, steps, facts: { ai: 'generated', aiCorrected: true } });
    const { body, description } = renderPublishedPage(history);
    const [, first, second, third] = body.split('<li');
    expect(first).toContain(' id="entry-1">');
    expect(first).toContain('<a href="#entry-2">Corrected later by entry 2</a>.');
    expect(second).toContain(' id="entry-2">');
    expect(second).toContain('<a href="#entry-1">Corrects entry 1</a>.');
    expect(third).not.toContain('entry-');
    expect(body).toContain('The records are statements of bo.');
    expect(description).toBe('AI-generated. A later entry corrects the entry that states this use of AI.');
    expect(listLicenses(history)).toEqual(['CC-BY-4.0']);
  });

  it('names a correction that is not on the page, without a link to it', () => {
    const long = '&'.repeat(256);
    const tool = { provider: long, model: long, version: long.slice(0, 128) };
    const steps = Array.from({ length: 400 }, (_, at) => {
      const corrects = at === 1 ? 0 : at === 399 ? 2 : at === 398 ? 397 : undefined;
      return stepAt(AT, 'create', { tool, ...(corrects === undefined ? {} : { corrects }) });
    });
    const { body } = renderPublishedPage(historyOf({ steps }));
    const listed = body.split('<li').length - 1;
    expect([listed > 3, listed < 398]).toEqual([true, true]);
    expect(body).toContain('<a href="#entry-2">Corrected later by entry 2</a>.');
    expect(body).toContain('. Corrected later by entry 400.</li>');
    const ids = [...body.matchAll(/ id="(entry-\d+)"/g)].map(([, id]) => id);
    const links = [...body.matchAll(/ href="#(entry-\d+)"/g)].map(([, id]) => id);
    expect([ids, links]).toEqual([
      ['entry-1', 'entry-2', 'entry-3'],
      ['entry-2', 'entry-1'],
    ]);
  });

  it('names a replaced maker only in the corrected entry, unless this person has another entry or credit', () => {
    const people = ['Ann', 'Bo', 'Cy'].map((name) => ({ ref: name, hidden: false, role: 'human', name }));
    const steps = [
      stepAt(AT, 'create', { by: 'Ann', withoutAi: true }),
      stepAt(AT, 'create', { by: 'Bo', corrects: 0 }),
    ];
    const history = historyOf({ people, steps, credits: [{ by: 'Ann', role: 'creator', step: 0 }] });
    const { body } = renderPublishedPage(history);
    expect(body.match(/Ann/g)).toHaveLength(1);
    expect(body).toContain('<strong>Ann</strong> made this content.');
    const refsOf = (given: PublishedHistory) => listCurrentPeople(given).map(({ ref }) => ref);
    expect(refsOf(history)).toEqual(['Bo', 'Cy']);
    expect(refsOf({ ...history, credits: [{ by: 'Ann', role: 'creator', cid: 'own' }] })).toContain('Ann');
    expect(refsOf({ ...history, steps: [...steps, stepAt(AT, 'verify', { by: 'Ann' })] })).toContain('Ann');
    expect(refsOf({ ...history, steps: steps.slice(0, 1) })).toEqual(['Ann', 'Bo', 'Cy']);
  });
});

describe('a marked copy that is made after a correction of its original', () => {
  const correction = { [CORRECTION_EXTENSION]: { actionId: 'action 0' } };
  const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' }, markedCid: 'photo' };
  const marked = { type: 'generate', inputCids: ['photo'], extensions: { [MARK_EXTENSION]: mark } };
  const actions: Partial<Action>[] = [
    { outputCids: ['photo'] },
    { performedBy: 'bo', outputCids: ['photo'], extensions: correction },
    { ...marked, outputCids: ['own'] },
  ];
  const attributions = actions.map(({ performedBy = 'ann' }, place) => ({
    ...{ entityId: performedBy, actionId: `action ${place}`, role: 'creator' },
  }));

  it.each<Withholdable[][]>([[[]], [['details']]])(
    'names the marker, even if a corrected step names this person as the maker; withheld: %j',
    (withhold) => {
      const described = describeGiven({ actions, attributions, withhold });
      expect(described.facts).toMatchObject({ act: 'marked', sourceMakers: [{ role: 'human', name: 'Bo' }] });
      const credits = listCurrentCredits({ cid: 'own', withheld: withhold, ...described });
      expect(credits.map(({ by, marksCopy }) => [by, marksCopy])).toEqual([
        ['bo', undefined],
        ['ann', true],
      ]);
      const history = historyOf({ ...described, facts: described.facts });
      expect(renderPublishedPage(history).body).toContain('</strong> made a marked copy');
      expect(renderPublishedPage(history).body).not.toContain('Marked copy:');
    },
  );
});
