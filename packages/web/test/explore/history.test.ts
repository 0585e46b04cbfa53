import { type Bundle, CORRECTION_EXTENSION, MARK_EXTENSION } from '@colophon/model';
import { describe, expect, it } from 'vitest';
import { type History, toHistory } from '../../src/explore/history/history.js';
import { toLabels } from '../../src/explore/history/labels.js';
import { makingOf } from '../../src/explore/history/making-of.js';
import { foldBeyond, stepsAway, visiblePart } from '../../src/explore/history/visible-part.js';
import { newestStepOf, omitReplaced } from '../../src/shell/correction.js';
import { nameAction } from '../../src/shell/name-action.js';
import { nameTool } from '../../src/shell/tool.js';
import { actionOf, bundleOf, entityOf, grownBundle } from '../support/histories.js';

const namesOf = ({ nodes }: History) => nodes.map(({ id }) => id).sort();
const edgesOf = ({ nodes, edges }: History) =>
  edges.map(({ from, to, kind }) => `${nodes[from]?.id} ${kind} ${nodes[to]?.id}`).sort();

/** photo -> sketch -> poster, and logo -> poster. */
const poster = bundleOf('poster', [
  actionOf('shoot', 0, { type: 'create', outputCids: ['photo'] }),
  actionOf('draw', 1, {
    inputCids: ['photo'],
    outputCids: ['sketch'],
    aiTool: { provider: 'Acme', model: 'pen' },
  }),
  actionOf('join', 2, { inputCids: ['sketch', 'logo'], outputCids: ['poster'], performedBy: 'studio:bo' }),
]);

it('a content has the makers and licences of the steps that made it, but an import gives it no maker', () => {
  const licensed = { extensions: { 'ext:license@1.0.0': { type: 'CC-BY-4.0' } } };
  const making = (actions: Bundle['actions']) => {
    const history = toHistory(bundleOf('own', actions));
    const own = history.nodes[history.focus];
    return own?.kind === 'resource' ? makingOf(history, own) : undefined;
  };
  const source = actionOf('source', 0, { outputCids: ['source'], performedBy: 'studio:bo' });
  const own = actionOf('own', 1, { inputCids: ['source'], outputCids: ['own'], ...licensed });
  expect(making([source, own])).toEqual({ makers: ['studio:ann'], licenses: ['CC-BY-4.0'] });
  expect(making([{ ...own, type: 'reference' }])).toEqual({ makers: [], licenses: ['CC-BY-4.0'] });
  const byBo = { performedBy: 'studio:bo', extensions: { 'ext:license@1.0.0': { type: 'MIT' } } };
  const imported = actionOf('imported', 2, { type: 'reference', outputCids: ['own'], ...licensed });
  const other = { ...imported, ...byBo, id: 'other' };
  expect(making([other, own])).toEqual({ makers: ['studio:ann'], licenses: ['CC-BY-4.0'] });
  expect(making([other, imported])).toEqual({ makers: [], licenses: ['CC-BY-4.0'] });
});

it('descendants of a content name a corrected maker only for another step of this person', () => {
  const making = bundleOf('own', [
    actionOf('own', 0, { outputCids: ['own'], performedBy: 'jon' }),
    actionOf('corrected', 1, {
      ...{ outputCids: ['own'], performedBy: 'mia' },
      extensions: { [CORRECTION_EXTENSION]: { actionId: 'own' } },
    }),
  ]);
  const peopleOf = (editor: string) => {
    const edit = actionOf('edit', 2, { inputCids: ['own'], outputCids: ['copy'], performedBy: editor });
    const credits = making.actions.map(({ id, performedBy, timestamp }) => ({
      ...{ id: `credit-${id}`, actionId: id, entityId: performedBy, createdAt: timestamp },
      ...{ resourceCid: 'own', role: 'creator' as const },
    }));
    const names = [...new Set(['jon', 'mia', editor])];
    const made = bundleOf(
      'own',
      [edit],
      names.map((name) => entityOf(name, name)),
    );
    const { nodes, edges } = toHistory(omitReplaced({ ...made, attributions: credits }, making));
    const credited = edges.flatMap(({ from, kind }) => (kind === 'credits' ? [nodes[from]?.id] : []));
    return [nodes.flatMap((node) => (node.kind === 'entity' ? [node.entity.id] : [])), credited];
  };
  expect(peopleOf('ann')).toEqual([['mia', 'ann'], ['ent:mia']]);
  expect(peopleOf('jon')).toEqual([['jon', 'mia'], ['ent:mia']]);
});

it('a marked copy has the makers of the original, and not the person who marked the copy', () => {
  const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' } };
  const copying = (input: string, output: string) =>
    actionOf(output, 1, {
      ...{ inputCids: [input], outputCids: [output], performedBy: 'studio:bo' },
      extensions: { [MARK_EXTENSION]: { ...mark, markedCid: input } },
    });
  const makersOf = (...actions: Bundle['actions']) => {
    const history = toHistory(bundleOf('own', actions));
    const own = history.nodes[history.focus];
    return own?.kind === 'resource' ? makingOf(history, own).makers : undefined;
  };
  const photo = actionOf('photo', 0, { outputCids: ['photo'] });
  expect(makersOf(photo, copying('photo', 'copy'), copying('copy', 'own'))).toEqual(['studio:ann']);
  expect(makersOf(copying('photo', 'own'))).toEqual(['studio:bo']);
});

it('a corrected step is outdated and names its correction, which alone counts for the content', () => {
  const corrects = (actionId: string, type: string) => ({
    extensions: { [CORRECTION_EXTENSION]: { actionId }, 'ext:license@1.0.0': { type } },
  });
  const second = actionOf('second', 0, {
    ...{ outputCids: ['own'], performedBy: 'studio:bo' },
    ...corrects('first', 'MIT'),
  });
  const bundle = bundleOf('own', [
    actionOf('first', 0, { outputCids: ['own'] }),
    { ...second, recordedAt: '2026-03-02T09:00:00.000Z' },
  ]);
  const history = toHistory(bundle);
  const steps = history.nodes.flatMap((node) => (node.kind === 'action' ? [node.correctedBy] : []));
  expect(steps).toEqual(['act:second', undefined]);
  const labels = toLabels(history);
  const labelOf = (id: string) => labels[history.nodes.findIndex((node) => node.id === id)];
  expect(labelOf('act:first')?.detail).toBe('Outdated · by studio:ann');
  expect(labelOf('act:second')).toMatchObject({
    detail: 'by studio:bo',
    corrects: expect.stringMatching(
      /^Corrects the entry of 1 March 2026.*\. Recorded on 2 March 2026 at \d\d:\d\d\.$/,
    ),
  });
  const own = history.nodes[history.focus];
  expect(own?.kind === 'resource' && makingOf(history, own)).toEqual({
    makers: ['studio:bo'],
    licenses: ['MIT'],
  });
  expect(newestStepOf(bundle, 'own')?.id).toBe('second');
});

it('the details of a mark name the tool that made the content, but the graph has no node for it', () => {
  const marked = (aiDisclosure: string | null, given: Parameters<typeof actionOf>[2] = {}) =>
    actionOf('mark', 1, {
      ...{ inputCids: ['source'], outputCids: ['copy'], ...given },
      extensions: { [MARK_EXTENSION]: { aiDisclosure, generator: { name: 'painter-2' } } },
    });
  expect(nameTool(marked('ai_assisted'))).toBe('painter-2');
  expect(nameTool(marked('ai_assisted', { aiTool: { provider: 'Acme', model: 'fill' } }))).toBe('fill');
  expect(nameTool(marked(null))).toBeUndefined();
  const { nodes } = toHistory(bundleOf('copy', [marked('ai_assisted')]));
  expect(nodes.filter(({ kind }) => kind === 'tool')).toEqual([]);
});

it('a step has a title such as `Marked copy · AI-edited` only if it marks a copy and does nothing else', () => {
  const marked = (aiDisclosure: string | null, said: Parameters<typeof actionOf>[2] = {}) => ({
    ...{ inputCids: ['source'], outputCids: ['copy'] },
    extensions: { [MARK_EXTENSION]: { aiDisclosure, generator: { name: 'painter-2' } } },
    ...said,
  });
  const source = actionOf('source', 0, { outputCids: ['source'] });
  const titleOf = (said: Parameters<typeof actionOf>[2], before = [source]) => {
    const history = toHistory(bundleOf('copy', [...before, actionOf('step', 1, said)]));
    return toLabels(history)[history.nodes.findIndex(({ id }) => id === 'act:step')]?.title;
  };
  expect(titleOf(marked('ai_generated', { type: 'generate' }))).toBe('Marked copy · AI-generated');
  expect(titleOf(marked('ai_assisted'))).toBe('Marked copy · AI-edited');
  const named = (markedCid: string) => ({
    extensions: {
      [MARK_EXTENSION]: { aiDisclosure: 'ai_assisted', generator: { name: 'painter-2' }, markedCid },
    },
    ...{ inputCids: ['source', 'logo'], aiTool: { provider: 'Acme', model: 'painter-2' } },
  });
  expect(titleOf(marked('ai_assisted', named('source')), [])).toBe('Marked copy · AI-edited');
  const others = [
    titleOf(marked('ai_assisted', named('other'))),
    titleOf({ inputCids: ['source'], outputCids: ['copy'] }),
    titleOf(marked(null)),
    titleOf(marked('ai_assisted', { inputCids: ['source', 'other'] })),
    titleOf(marked('ai_assisted', { aiTool: { provider: 'Acme', model: 'painter-2' } })),
    titleOf(marked('ai_assisted'), []),
  ];
  expect(new Set(others)).toEqual(new Set(['Edited']));
});

it('a mark says who marked the copy only if somebody else made the original', () => {
  const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' }, markedCid: 'source' };
  const detailOf = (performedBy: string) => {
    const source = actionOf('source', 0, { outputCids: ['source'] });
    const said = { inputCids: ['source'], outputCids: ['copy'], performedBy };
    const marking = actionOf('step', 1, { ...said, extensions: { [MARK_EXTENSION]: mark } });
    const history = toHistory(bundleOf('copy', [source, marking]));
    return toLabels(history)[history.nodes.findIndex(({ id }) => id === 'act:step')]?.detail;
  };
  expect(detailOf('studio:bo')).toBe('by studio:ann, marked by studio:bo');
  expect(detailOf('studio:ann')).toBe('by studio:ann');
});

describe('a marked copy', () => {
  const LABEL = { title: 'Marked copy · AI-edited', detail: 'by studio:ann', isAi: true };
  const NAMED = { aiDisclosure: 'ai_assisted', generator: { name: 'painter-2' }, markedCid: 'source' };

  it.each([
    ['whose mark and input name the file by different ids', NAMED, 'alias', 'source'],
    ['of a file that its maker recorded under another id', NAMED, 'source', 'alias'],
    [
      'by an earlier version of the service, of a file with several ids',
      { ...NAMED, markedCid: undefined },
      'alias',
      'alias',
    ],
  ])('%s keeps its label, its maker and its sentence', (_what, mark, input, output) => {
    const [inputCids, outputCids] = [[input, 'logo'].slice(0, mark.markedCid === undefined ? 1 : 2), ['own']];
    const source = actionOf('source', 0, { outputCids: [output] });
    const made = { inputCids, outputCids, extensions: { [MARK_EXTENSION]: mark } };
    const step = actionOf('step', 1, made);
    const named = bundleOf('own', [source, step]);
    const resources = named.resources.map((one) => (one.cid === 'alias' ? { ...one, cid: 'source' } : one));
    const bundle = { ...named, resources, aliases: { alias: 'source' } };
    const history = toHistory(bundle);
    const place = history.nodes.findIndex(({ id }) => id === 'act:step');
    expect(toLabels(history)[place]).toMatchObject(LABEL);
    if (mark.markedCid === undefined) return;
    expect(nameAction(step, bundle)).toBe('This file by studio:ann is a marked copy');
    const byBo = { ...bundle, actions: [source, { ...step, performedBy: 'studio:bo' }] };
    const ofBo = toHistory(byBo);
    const own = ofBo.nodes[ofBo.focus];
    expect(own?.kind === 'resource' && makingOf(ofBo, own).makers).toEqual(['studio:ann']);
  });

  it('has the makers of the present entries, and not the maker of a corrected entry', () => {
    const source = actionOf('source', 0, { outputCids: ['source'] });
    const extensions = { [CORRECTION_EXTENSION]: { actionId: 'source' } };
    const later = actionOf('later', 1, { performedBy: 'studio:bo', outputCids: ['source'], extensions });
    const mark = { inputCids: ['source'], outputCids: ['own'], extensions: { [MARK_EXTENSION]: NAMED } };
    const history = toHistory(bundleOf('own', [source, later, actionOf('step', 2, mark)]));
    const place = history.nodes.findIndex(({ id }) => id === 'act:step');
    expect(toLabels(history)[place]?.detail).toBe('by studio:bo, marked by studio:ann');
  });
});

describe('the nodes and edges of a bundle', () => {
  it('are its contents, actions, people, and the tools of actions', () => {
    const history = toHistory(poster);
    expect(namesOf(history)).toEqual(
      [
        ...['act:draw', 'act:join', 'act:shoot', 'ent:studio:ann', 'ent:studio:bo'],
        ...['res:logo', 'res:photo', 'res:poster', 'res:sketch', 'tool:Acme/pen'],
      ].sort(),
    );
    expect(history.nodes[history.focus]?.id).toBe('res:poster');
    expect(edgesOf(history)).toContain('tool:Acme/pen usedTool act:draw');
    expect(edgesOf(history)).toContain('ent:studio:bo performedBy act:join');
  });

  it('include one edge for each credited person, and none for a credit of the performer', () => {
    const credit = (entityId: string) => ({
      id: entityId,
      entityId,
      actionId: 'draw',
      role: 'contributor',
      createdAt: poster.actions[0]?.timestamp ?? '',
    });
    const attributions = [credit('studio:ann'), credit('studio:cy'), { ...credit('studio:cy'), id: 'again' }];
    const entities = [...poster.entities, entityOf('studio:cy', 'Cy')];
    const credits = edgesOf(toHistory({ ...poster, entities, attributions })).filter((edge) =>
      edge.includes('credits'),
    );
    expect(credits).toEqual(['ent:studio:cy credits act:draw']);
  });

  it('have the origin of each content, also when the step that made it is not in the history', () => {
    const originsIn = (bundle: Bundle) =>
      Object.fromEntries(
        toHistory(bundle).nodes.flatMap((node) =>
          node.kind === 'resource' ? [[node.cid, node.origin]] : [],
        ),
      );
    const [claimed, ...rest] = poster.resources;
    const unstated = rest.map((resource) => ({ ...resource, state: null }));
    const known = { ...poster, resources: claimed === undefined ? [] : [claimed, ...unstated] };
    expect(originsIn(known)).toEqual({ photo: 'claimed', sketch: 'made', poster: 'made', logo: 'none' });
    const cut = { ...known, actions: known.actions.filter(({ id }) => id === 'join') };
    expect(originsIn(cut)).toMatchObject({ sketch: 'made', poster: 'made', logo: 'none' });
    const scan = actionOf('scan', 0, { type: 'reference', outputCids: ['logo'] });
    const imported = bundleOf('logo', [scan]);
    const [own] = imported.resources.map(({ createdBy: _, ...resource }) => resource);
    const resources = own === undefined ? [] : [{ ...own, state: 'referenced' as const }];
    expect(originsIn({ ...imported, resources })).toEqual({ logo: 'referenced' });
  });

  it('include the content of the history as the focus, also when an alias names it', () => {
    const history = toHistory({ ...poster, cid: 'other-name', aliases: { 'other-name': 'poster' } });
    expect(history.nodes[history.focus]?.id).toBe('res:poster');
  });

  it.each([
    ['the flat form', { 'ext:ai@1.0.0': { provider: 'Acme', model: 'pen' } }, 'tool:Acme/pen'],
    [
      'the form with a member `tool`',
      { 'ext:ai@1.0.0': { tool: { provider: 'Acme', model: 'pen' } } },
      'tool:Acme/pen',
    ],
    [
      'Content Credentials',
      { 'ext:c2pa:action@1.0.0': { softwareAgent: { name: 'Editor' } } },
      'tool:Editor',
    ],
  ])('include the tool that an action names in %s', (_form, extensions, tool) => {
    const bundle = bundleOf('x', [actionOf('a', 0, { outputCids: ['x'], extensions })]);
    expect(namesOf(toHistory(bundle))).toContain(tool);
  });
});

describe('folding', () => {
  const part = (...folded: string[]) => visiblePart(toHistory(poster), { folded: new Set(folded) });

  it('hides the nodes behind a content, also people and tools, but counts only contents and actions', () => {
    const { history, hidden } = part('res:sketch');
    expect(namesOf(history)).toEqual(
      ['act:join', 'ent:studio:bo', 'res:logo', 'res:poster', 'res:sketch'].sort(),
    );
    expect(hidden.get('res:sketch')).toBe(3);
  });

  it('keeps nodes that are reachable another way', () => {
    const diamond = bundleOf('d', [
      actionOf('1', 0, { outputCids: ['a'] }),
      actionOf('2', 1, { inputCids: ['a'], outputCids: ['b'] }),
      actionOf('3', 1, { inputCids: ['a'], outputCids: ['c'] }),
      actionOf('4', 2, { inputCids: ['b', 'c'], outputCids: ['d'] }),
    ]);
    const { history, hidden } = visiblePart(toHistory(diamond), { folded: new Set(['res:b']) });
    expect(namesOf(history)).toContain('res:a');
    expect(namesOf(history)).toContain('act:2');
    expect(hidden.size).toBe(0);
  });

  it('hides nodes beyond a number of actions', () => {
    const whole = toHistory(grownBundle(200));
    const { history } = visiblePart(whole, { folded: foldBeyond(whole, 2) });
    expect(history.nodes.length).toBeLessThan(whole.nodes.length);
    const farthest = Math.max(...stepsAway(history).filter(Number.isFinite));
    expect(farthest).toBe(2);
  });

  it('keeps the focus when other nodes are hidden', () => {
    const { history } = visiblePart(toHistory(poster), {
      folded: new Set(['res:poster']),
      only: new Set([]),
    });
    expect(namesOf(history)).toEqual(['res:poster']);
  });
});
