import { type Action, type ActivityRequest, type Bundle, markInputSchema } from '@colophon/model';
import { ApiError, type Client, createClient } from '@colophon/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { markingOf as markingOfContent } from '../src/marking/marking-of.js';
import { nameCopy, toMarking, toMarkRequest } from '../src/marking/to-marking.js';
import { pollLayers } from '../src/marking/use-mark.js';
import { findMarkedCopy } from '../src/publishing/unmarked.js';
import { actionOf, bundleOf, entityOf } from './support/histories.js';

const file = new File(['x'], 'Sunset.PNG');
const aiTool = { provider: 'Acme', model: 'painter-2' };
const actionId = '0198c1de-0000-7000-8000-000000000000';
const entityId = 'studio:ann';

function markingOf(activity: ActivityRequest, more: { title?: string; name?: string } = {}) {
  return toMarking({ file, title: 'sunset.png', activity, entityId, name: undefined, ...more });
}

describe('a marked copy on the page', () => {
  it('is offered for a record with AI, and suggests the statement of this record', () => {
    const entity = { role: 'human', name: 'Ann' };
    const suggestedOf = (activity: ActivityRequest) => markingOf(activity)?.suggested;
    expect(suggestedOf({ entity, action: { type: 'generate', aiTool } })).toBe('ai_generated');
    expect(suggestedOf({ entity, action: { type: 'transform', aiTool } })).toBe('ai_assisted');
    expect(suggestedOf({ entity: { role: 'ai', name: 'Painter' } })).toBe('ai_generated');
    expect(suggestedOf({ entity, action: { type: 'transform' } })).toBeUndefined();
    const activity = { entity, action: { type: 'generate', aiTool } };
    expect(toMarking({ file: undefined, title: '', activity, entityId, name: 'Ann' })).toBeUndefined();
  });

  it('names the AI tool as the generator, or else the AI system that made the file', () => {
    const ai = { role: 'ai', id: entityId };
    expect(markingOf({ entity: ai, action: { aiTool } })?.generator).toEqual({
      name: 'painter-2',
      provider: 'Acme',
    });
    expect(markingOf({ entity: ai }, { name: ' Painter ' })?.generator).toBe('Painter');
    expect(markingOf({ entity: ai })?.generator).toBe(entityId);
  });

  it('is requested without the title, which only the project sees', () => {
    const activity = { entity: { role: 'human', id: entityId }, action: { aiTool } };
    const attempt = { aiDisclosure: 'ai_assisted', actionId } as const;
    for (const [title, sent] of [
      ['a secret title', undefined],
      ['', null],
    ]) {
      const marking = markingOf(activity, { title: title ?? '' });
      if (marking === undefined) throw new Error('The record uses AI.');
      const request = markInputSchema.parse(toMarkRequest(marking, attempt));
      expect(request).toMatchObject({ ...attempt, entityId, generator: { name: 'painter-2' } });
      expect(request.title).toBe(sent);
      const byUser = toMarkRequest(marking, { ...attempt, entityId: 'studio:anna' });
      expect(byUser.entityId).toBe('studio:anna');
    }
  });

  it('gets a file name from the title, or from the name of the original file if there is no title', () => {
    const nameOf = (name: string, title: string) => nameCopy({ fileName: name, title });
    expect(nameOf('Sunset.PNG', '')).toBe('Sunset-marked.PNG');
    expect(nameOf('Sunset.PNG', 'dawn.png')).toBe('dawn-marked.PNG');
    expect(nameOf('1.png', 'Day 1.5: sea/sky')).toBe('Day 1.5: sea-sky-marked.png');
    expect(nameOf('notes', '')).toBe('notes-marked');
  });
});

describe('an existing marked copy of a file', () => {
  const copying = (id: string, output: string) =>
    actionOf(id, 1, {
      ...{ inputCids: ['c'], outputCids: [output] },
      extensions: {
        'ext:mark@1.0.0': { aiDisclosure: 'ai_generated', generator: { name: 'p' }, markedCid: 'c' },
      },
    });
  const edit = actionOf('e', 3, { inputCids: ['c'], outputCids: ['edited'] });

  it('is the newest marked copy, and never an edited file', () => {
    expect(findMarkedCopy(bundleOf('c', [copying('a', 'one'), copying('b', 'two'), edit]))).toBe('two');
    expect(findMarkedCopy(bundleOf('c', [edit]))).toBeUndefined();
  });

  it('is found if its mark names an alias of the file, but not if it names another file', () => {
    const bundle = bundleOf('own', [copying('a', 'one')]);
    expect(findMarkedCopy(bundle)).toBeUndefined();
    expect(findMarkedCopy({ ...bundle, aliases: { c: 'own' } })).toBe('one');
  });
});

describe('a marked copy of a file in a history', () => {
  const tool = { provider: 'Acme', model: 'painter-2' };
  const client = createClient({
    url: 'http://service.example',
    fetch: async () => new Response('the bytes'),
  });
  const historyOf = (...actions: Action[]): Bundle => {
    const bundle = bundleOf('c', actions, [entityOf('studio:ann', 'Ann'), entityOf('bot', 'Painter', 'ai')]);
    const locations = [{ uri: '/v1/resource/c/content', provider: 'colophon' }];
    return {
      ...bundle,
      resources: bundle.resources.map((one) => ({ ...one, mimeType: 'image/jpeg', locations })),
    };
  };
  const markingFor = (bundle: Bundle, title = '') => markingOfContent(client, bundle, { cid: 'c', title });
  const generated = actionOf('a', 1, { type: 'generate', aiTool: tool, outputCids: ['c'] });

  it('has the data of the newest step, and reads the stored bytes', async () => {
    const marking = markingFor(historyOf(generated), 'dawn.png');
    expect(marking).toMatchObject({
      ...{ fileName: 'dawn.png', entityId: 'studio:ann', suggested: 'ai_generated' },
      generator: { name: 'painter-2', provider: 'Acme' },
    });
    expect(await (await marking?.read(new AbortController().signal))?.text()).toBe('the bytes');
    const byAi = actionOf('a', 1, { performedBy: 'bot', outputCids: ['c'] });
    expect(markingFor(historyOf(byAi))).toMatchObject({
      ...{ fileName: 'c.jpg', generator: 'Painter', suggested: 'ai_generated' },
    });
  });

  const correcting = (given: Partial<Action>) =>
    actionOf('b', 2, {
      ...{ outputCids: ['c'], performedBy: 'studio:bo', ...given },
      extensions: { 'ext:correction@1.0.0': { actionId: 'a' }, ...given.extensions },
    });
  const edited = actionOf('a', 1, { aiTool: tool, outputCids: ['c'] });
  const painter3 = { provider: 'Acme', model: 'painter-3' };
  const noAi = { 'ext:mark@1.0.0': { aiDisclosure: null, generator: { name: 'unknown' } } };
  it.each<[string, Action, Partial<Action>, [suggested: string, by: string, tool: string]]>([
    ['a lower level', generated, { aiTool: painter3 }, ['ai_generated', 'studio:ann', 'painter-2']],
    ['no AI', generated, {}, ['ai_generated', 'studio:ann', 'painter-2']],
    ['the statement of no AI', edited, { extensions: noAi }, ['ai_assisted', 'studio:ann', 'painter-2']],
    ['the same level', edited, { aiTool: painter3 }, ['ai_assisted', 'studio:bo', 'painter-3']],
    [
      'a higher level',
      edited,
      { type: 'generate', aiTool: painter3 },
      ['ai_generated', 'studio:bo', 'painter-3'],
    ],
  ])(
    'after a correction with %s, suggests the higher AI level, with the performer and tool of its step',
    (_, first, given, expected) => {
      const { suggested, entityId, generator } = markingFor(historyOf(first, correcting(given))) ?? {};
      expect([suggested, entityId, Object(generator).name]).toEqual(expected);
    },
  );

  it.each([
    ['without AI', historyOf(actionOf('a', 1, { outputCids: ['c'] }))],
    ['that is only a source', historyOf(actionOf('a', 1, { inputCids: ['c'], aiTool: tool }))],
    ['without stored bytes', bundleOf('c', [generated])],
    [
      'with marks',
      historyOf({
        ...generated,
        extensions: { 'ext:mark@1.0.0': { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' } } },
      }),
    ],
  ])('is not offered for a file %s', (_, bundle) => {
    expect(markingFor(bundle)).toBeUndefined();
  });
});

describe('the requests that poll a marked copy with a pending layer', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** Each read gets the next answer. After the last answer, each read gets the last answer again. */
  async function countReads(...answers: (string[] | Error)[]) {
    vi.useFakeTimers();
    const page = new EventTarget();
    vi.stubGlobal('window', page);
    const counts = { reads: 0, found: 0, rejections: 0 };
    page.addEventListener('colophon:rejected', () => {
      counts.rejections += 1;
    });
    const marks = async () => {
      const answer = answers[Math.min(counts.reads, answers.length - 1)] ?? [];
      counts.reads += 1;
      if (answer instanceof Error) throw answer;
      return { contents: answer.map((cid) => ({ cid })) };
    };
    const stop = pollLayers({ compliance: { marks } } as unknown as Client, 'copy', () => {
      counts.found += 1;
    });
    await vi.advanceTimersByTimeAsync(3_600_000);
    stop();
    return counts;
  }

  it('end after ten, also if some of them fail', async () => {
    expect(await countReads(['other', 'copy'])).toEqual({ reads: 10, found: 10, rejections: 0 });
    expect(await countReads(new Error('offline'), ['copy'])).toEqual({ reads: 10, found: 9, rejections: 0 });
  });

  it('end when an answer lacks the copy, or when the service rejects the session, which the page reports', async () => {
    expect(await countReads(['copy'], ['other'])).toEqual({ reads: 2, found: 1, rejections: 0 });
    const rejected = new ApiError({ code: 'Unauthorized', message: 'no', requestId: '1' }, { status: 401 });
    expect(await countReads(['copy'], rejected)).toEqual({ reads: 2, found: 1, rejections: 1 });
  });
});
