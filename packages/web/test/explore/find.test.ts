import { describe, expect, it } from 'vitest';
import { toScene } from '../../src/explore/draw/scene.js';
import { choicesOf, type Filter, matching } from '../../src/explore/history/filter.js';
import { toHistory } from '../../src/explore/history/history.js';
import { toLabels } from '../../src/explore/history/labels.js';
import { titleOfKind } from '../../src/explore/history/marked-copies.js';
import { search } from '../../src/explore/history/search.js';
import { nextNode } from '../../src/explore/history/walk.js';
import { layOut } from '../../src/explore/layout/lay-out.js';
import { toLayoutInput } from '../../src/explore/layout/layout-input.js';
import { actionOf, bundleOf, entityOf } from '../support/histories.js';

const pen = { provider: 'Acme', model: 'pen' };
const bundle = bundleOf(
  'poster',
  [
    actionOf('shoot', 0, { type: 'create', outputCids: ['photo'] }),
    actionOf('draw', 1, {
      inputCids: ['photo'],
      outputCids: ['sketch'],
      aiTool: pen,
      extensions: { 'ext:ai@1.0.0': { ...pen, prompt: 'a heron in fog' } },
    }),
    actionOf('join', 2, {
      type: 'aggregate',
      performedBy: 'studio:bo',
      inputCids: ['sketch', 'logo'],
      outputCids: ['poster'],
      aiTool: pen,
    }),
  ],
  [entityOf('studio:ann', 'Ann of the studio'), entityOf('studio:bo', 'Bo')],
);
const note = {
  ...{ id: 'credit', entityId: 'studio:bo', actionId: 'join', role: 'creator' },
  ...{ note: 'Cropped for the front page', createdAt: bundle.actions[0]?.timestamp ?? '' },
};
const history = toHistory({ ...bundle, attributions: [note] });
const idsOf = (nodes: Iterable<number>) => [...nodes].map((node) => history.nodes[node]?.id).sort();

describe('a filter', () => {
  const matched = (filter: Filter) => idsOf(matching(history, filter) ?? []);

  it('returns undefined when it is empty', () => {
    expect(matching(history, {})).toBeUndefined();
  });

  it('finds the actions of a person, with their neighbours', () => {
    expect(matched({ entity: 'ent:studio:bo' })).toEqual(
      ['act:join', 'ent:studio:bo', 'res:logo', 'res:poster', 'res:sketch', 'tool:Acme/pen'].sort(),
    );
  });

  it('finds the actions with a tool, and among these the actions of one type', () => {
    expect(matched({ tool: 'tool:Acme/pen' })).toContain('act:draw');
    expect(matched({ tool: 'tool:Acme/pen' })).toContain('act:join');
    expect(matched({ tool: 'tool:Acme/pen', type: 'aggregate' })).not.toContain('act:draw');
    expect(matched({ entity: 'ent:studio:ann', type: 'aggregate' })).toEqual([]);
  });

  it('offers the people, tools and types of the history', () => {
    expect(choicesOf(history)).toEqual({
      entities: [
        { id: 'ent:studio:ann', name: 'Ann of the studio' },
        { id: 'ent:studio:bo', name: 'Bo' },
      ],
      tools: [{ id: 'tool:Acme/pen', name: 'pen' }],
      types: ['aggregate', 'create', 'transform'],
    });
  });
});

describe('a filter of marked copies', () => {
  const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' } };
  const marking = (id: string, type: string, markedCid?: string) =>
    actionOf(id, 1, {
      ...{ type, inputCids: ['picture'], outputCids: [`${id} copy`] },
      extensions: { 'ext:mark@1.0.0': { ...mark, ...(markedCid === undefined ? {} : { markedCid }) } },
    });
  const actions = [
    actionOf('paint', 0, { type: 'generate', outputCids: ['picture'] }),
    ...[marking('named', 'generate', 'picture'), marking('earlier', 'generate')],
    marking('of edit', 'transform', 'picture'),
  ];
  const marks = toHistory(bundleOf('named copy', actions));
  const actionsFor = (type: string) =>
    [...(matching(marks, { type }) ?? [])].flatMap((place) => {
      const node = marks.nodes[place];
      return node?.kind === 'action' ? [node.action.id] : [];
    });

  it('is a choice of its own and finds all marks, while the other choices find none', () => {
    const { types } = choicesOf(marks);
    expect(types.map(titleOfKind)).toEqual(['Generated', 'Marked copy']);
    expect(types.map(actionsFor)).toEqual([['paint'], ['named', 'earlier', 'of edit']]);
  });

  it('covers marks of the types `generate` and `transform`, which all have the AI label', () => {
    const labels = toLabels(marks).filter(({ title }) => title.startsWith('Marked copy'));
    expect(labels.map(({ isAi }) => isAi)).toEqual([true, true, true]);
  });
});

describe('search', () => {
  const titles = { sketch: 'Harbour at dawn.png' };
  const found = (text: string) => idsOf(search(history, toLabels(history, titles), text));

  it('labels a content by its title, its kind and its id', () => {
    const sketch = history.nodes.findIndex(({ id }) => id === 'res:sketch');
    const titled = toLabels(history, titles)[sketch];
    const plain = toLabels(history)[sketch];
    expect(titled).toMatchObject({ title: titles.sketch, detail: `${plain?.title} · ${plain?.detail}` });
  });

  it.each([
    ['a name in another letter case', 'ANN OF', ['act:draw', 'act:shoot', 'ent:studio:ann']],
    ['a content id', 'sketch', ['res:sketch']],
    ['a title', 'dawn', ['res:sketch']],
    ['an action, in the words of the picture', 'combined', ['act:join']],
    ['an action type, as in records', 'aggregate', ['act:join']],
    ['two words in any order', 'pen combined', ['act:join']],
    ['blanks (no node)', '  ', []],
    ['words of a note', 'front cropped', ['act:join']],
    ['words of a prompt', 'heron fog', ['act:draw']],
    ['absent words (no node)', 'zebra', []],
  ])('finds the right nodes for %s', (_by, text, ids) => {
    expect(found(text)).toEqual(ids);
  });
});

describe('arrow keys', () => {
  const scene = toScene(history, layOut(toLayoutInput(history)));
  const from = (id: string) => history.nodes.findIndex((node) => node.id === id);
  const next = (id: string, direction: 'left' | 'right' | 'up' | 'down') =>
    history.nodes[nextNode(scene, from(id), direction) ?? -1]?.id;

  it('lead from a content back to its action, and from an input forward to the action that uses it', () => {
    expect(next('res:poster', 'left')).toBe('act:join');
    expect(['res:sketch', 'res:logo']).toContain(next('act:join', 'left'));
    expect(next('res:photo', 'right')).toBe('act:draw');
    expect(next('res:poster', 'right')).toBeUndefined();
  });

  it('lead up and down in a column, and back again', () => {
    const below = next('res:sketch', 'down') ?? next('res:sketch', 'up') ?? '';
    expect(below).not.toBe('');
    expect([next(below, 'up'), next(below, 'down')]).toContain('res:sketch');
  });
});
