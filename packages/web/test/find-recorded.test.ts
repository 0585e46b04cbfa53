import type { Action } from '@colophon/model';
import { ApiError } from '@colophon/sdk';
import { describe, expect, it } from 'vitest';
import { findRecorded, findTitled, LOOKED_THROUGH, listPresent, SHOWN } from '../src/record/find-recorded.js';

const PEOPLE = [{ id: 'ann', name: 'Ann Quill' }];

async function* recorded(...given: Partial<Action>[]): AsyncGenerator<Action> {
  for (const [index, one] of given.entries())
    yield {
      ...{
        id: String(index),
        type: 'create',
        performedBy: 'ann',
        inputCids: [],
        outputCids: [`bafk${index}`],
      },
      ...{ timestamp: '2026-11-21T10:00:00.000Z', extensions: {}, ...one },
    } as unknown as Action;
}
const find = async (words: string, ...given: Partial<Action>[]) =>
  (await findRecorded({ titled: [], actions: recorded(...given), people: PEOPLE }, words)).map(
    ({ cid }) => cid,
  );

describe('search in the records', () => {
  it.each([
    ['by the name of its performer', 'quill'],
    ['by the action, in another letter case', 'MADE'],
    ['by the tool', 'painter'],
    ['by the day', '2026-11-21'],
    ['by a part of the content id', 'afk0'],
    ['by several words together', 'ann painter bafk0'],
  ])('finds content %s', async (_how, words) => {
    const tool = { aiTool: { provider: 'Acme', model: 'painter-2' } };
    expect(await find(words, tool, { performedBy: 'bo', timestamp: '2025-01-01T00:00:00.000Z' })).toContain(
      'bafk0',
    );
  });

  it('finds nothing if one of the words has no match', async () => {
    expect(await find('ann nobody', {})).toEqual([]);
  });

  it('finds content once, although it was recorded twice', async () => {
    expect(await find('', { outputCids: ['same'] }, { outputCids: ['same'] })).toEqual(['same']);
  });

  const correction: Partial<Action>[] = [
    { performedBy: 'ann', outputCids: ['c'], extensions: { 'ext:correction@1.0.0': { actionId: '2' } } },
    { performedBy: 'cy', outputCids: ['other'] },
    { performedBy: 'zed', outputCids: ['c'] },
  ];

  it('ignores a corrected action, and so does not find a content by a wrong maker', async () => {
    expect(await find('zed', ...correction)).toEqual([]);
    expect(await find('quill', ...correction)).toEqual(['c']);
  });

  it('lists each content once, with its present maker', async () => {
    const actions: Action[] = [];
    for await (const action of recorded(...correction, { outputCids: ['other'] })) actions.push(action);
    const present = listPresent(actions).map(({ cid, action }) => [cid, action.performedBy]);
    expect(present).toEqual([
      ['c', 'ann'],
      ['other', 'cy'],
    ]);
  });

  it('finds contents by their titles first, and each content once', async () => {
    const titled = [
      { cid: 'bafk1', title: 'Heron' },
      { cid: 'other-1', title: 'Heron' },
    ];
    const found = await findRecorded({ titled, actions: recorded({}, {}), people: PEOPLE }, 'quill');
    expect(found.map(({ cid }) => cid)).toEqual(['bafk1', 'other-1', 'bafk0']);
    expect(found.slice(0, 2).map(({ name }) => name)).toEqual(['Heron (bafk1)', 'Heron (other-1)']);
  });

  it.each([
    ['a title that the service finds', 'heron at dawn', ['a']],
    ['nothing for more words than the service searches', 'one two three four five six', []],
    ['nothing for more characters than the service accepts', 'x'.repeat(201), []],
    ['nothing for punctuation', '...', []],
  ])('finds by title: %s', async (_what, words, cids) => {
    const list = async () => ({ resources: [{ cid: 'a' }] });
    const client = { resources: { list } } as unknown as Parameters<typeof findTitled>[0];
    const titled = await findTitled(client, words, new AbortController().signal);
    expect(titled.map(({ cid }) => cid)).toEqual(cids);
  });

  it.each([
    ['finds nothing by title when the service rejects the words', 'InvalidField', []],
    ['reports that a search by title has failed', 'Internal', undefined],
  ] as const)('%s', async (_what, code, cids) => {
    const list = () => Promise.reject(new ApiError({ code, message: 'no', requestId: '1' }, { status: 400 }));
    const client = { resources: { list } } as unknown as Parameters<typeof findTitled>[0];
    const titled = findTitled(client, 'heron', new AbortController().signal);
    if (cids === undefined) await expect(titled).rejects.toThrow('no');
    else expect(await titled).toEqual(cids);
  });

  it('finds the newest of many records, without reading all of them', async () => {
    const many = Array.from({ length: LOOKED_THROUGH + 1 }, (_, n) => ({ outputCids: [`c${n}`] }));
    expect(await find('', ...many)).toHaveLength(SHOWN);
    expect(await find(`c${LOOKED_THROUGH}`, ...many)).toEqual([]);
  });
});
