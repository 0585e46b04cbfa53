import { expect, it, vi } from 'vitest';
import type { MatchingDeps } from '../../src/records/matching/deps.js';
import { embedQuery, searchText } from '../../src/records/matching/search-text.js';
import { createTextEmbedder } from '../../src/search/embed-text.js';
import { openScheduler } from '../support/scheduler.js';

/** Answers only when `answer` is called. */
function slowProvider() {
  const calls: { input: string; signal: AbortSignal; answer: () => void }[] = [];
  const fetch = vi.fn((_: unknown, { signal, body }: RequestInit = {}) => {
    return new Promise<Response>((resolve, reject) => {
      if (!signal) throw new Error('The request has no signal');
      signal.addEventListener('abort', () => reject(signal.reason));
      const { input } = JSON.parse(String(body)) as { input: string };
      calls.push({ input, signal, answer: () => resolve(Response.json({ data: [{ embedding: [3, 4] }] })) });
    });
  });
  const embedder = createTextEmbedder({ url: 'http://provider', model: 'm', apiKey: undefined }, fetch);
  return { calls, matching: { embedder } as Partial<MatchingDeps> as MatchingDeps };
}

it('one project cannot use all concurrent requests to the provider of embeddings', async () => {
  const { calls, matching } = slowProvider();
  const scheduler = openScheduler({ search: 2 });
  const embed = (projectId: string) => embedQuery({ matching, scheduler }, projectId, { text: projectId });
  const results = [...Array.from({ length: 5 }, () => embed('many')), embed('other')];
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  expect(calls.map(({ input }) => input)).toEqual(['many', 'other']);
  expect(scheduler.counts().search).toMatchObject({ running: 2, waiting: 4 });
  for (let place = 0; place < results.length; place++) {
    await vi.waitFor(() => expect(calls.length).toBeGreaterThan(place));
    calls[place]?.answer();
  }
  for (const vector of await Promise.all(results))
    expect([...vector]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
});

it('one project cannot use all threads that describe the texts of searches', async () => {
  const described: string[] = [];
  const answers: (() => void)[] = [];
  const pool = {
    run: (task: { bytes: Uint8Array }) => {
      described.push(Buffer.from(task.bytes).toString().split(' ')[0] ?? '');
      return new Promise((resolve) => answers.push(() => resolve({ kind: 'nothing', reason: 'none' })));
    },
  };
  const scheduler = openScheduler({ search: 2 });
  const deps = {
    ...{ matching: { pool, index: { find: async () => [] } }, scheduler },
    reads: { query: async () => [] },
  } as unknown as Parameters<typeof searchText>[0];
  const { signal } = new AbortController();
  const search = (projectId: string, words: number) =>
    searchText(deps, projectId, { text: `${projectId} `.repeat(words), limit: 5, minScore: 0, signal });
  expect(await search('short', 10)).toEqual({ verdict: 'no-match', matches: [] });
  const results = [...Array.from({ length: 5 }, () => search('many', 500)), search('other', 500)];
  await vi.waitFor(() => expect(described).toHaveLength(2));
  expect(described).toEqual(['many', 'other']);
  for (let place = 0; place < results.length; place++) {
    await vi.waitFor(() => expect(answers.length).toBeGreaterThan(place));
    answers[place]?.();
  }
  for (const result of await Promise.all(results))
    expect(result).toEqual({ verdict: 'no-match', matches: [] });
});

it.each(['embedQuery', 'searchText'])(
  '%s ends the request to the provider when the caller of the service disconnects',
  async (name) => {
    const { calls, matching } = slowProvider();
    const scheduler = openScheduler();
    const leaving = new AbortController();
    const asked = { text: 'a heron', limit: 5, minScore: 0, signal: leaving.signal };
    const deps = { matching, scheduler } as Partial<Parameters<typeof searchText>[0]> as Parameters<
      typeof searchText
    >[0];
    const run = name === 'embedQuery' ? embedQuery(deps, 'one', asked) : searchText(deps, 'one', asked);
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    leaving.abort(new Error('The caller left'));
    await expect(run).rejects.toThrow('The caller left');
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(scheduler.counts().search).toMatchObject({ running: 0, waiting: 0 });
  },
);
