import { ApiError } from '@colophon/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createThumbnailLoader, type Face } from '../src/ui/thumbnail-loader.js';

const text = (body: string, headers = {}) =>
  new Response(body, { headers: { 'content-type': 'text/plain; charset=utf-8', ...headers } });

/** `requested`: the CIDs that `read` received. */
function createCounted(read: (cid: string, times: number) => Response | Promise<Response>) {
  const requested: string[] = [];
  const loader = createThumbnailLoader(async (cid) => {
    requested.push(cid);
    return read(cid, requested.length);
  });
  const want = (cid: string) => {
    const shown: Face[] = [];
    return { shown, cancel: loader.want(cid, (face) => void shown.push(face)) };
  };
  return { requested, want, loader };
}

describe('the loader of thumbnails', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('requests a thumbnail once for all components that want it, at the same time or later', async () => {
    const { requested, want } = createCounted((cid) => text(cid));
    const wishes = [want('a'), want('a')];
    await expect.poll(() => wishes.map(({ shown }) => shown)).toEqual([[{ text: 'a' }], [{ text: 'a' }]]);
    expect(want('a').shown).toEqual([{ text: 'a' }]);
    expect(requested).toEqual(['a']);
  });

  it('shows nothing to a component that is gone, and requests nothing for it', async () => {
    const { requested, want } = createCounted((cid) => text(cid));
    const wishes = ['a', 'b', 'c', 'd', 'e'].map(want);
    wishes[4]?.cancel();
    await expect.poll(() => wishes[3]?.shown).toEqual([{ text: 'd' }]);
    expect([requested, wishes[4]?.shown]).toEqual([['a', 'b', 'c', 'd'], []]);
  });

  it('reports `none` if the content has no thumbnail', async () => {
    const { want } = createCounted(() => new Response(null, { status: 204 }));
    const { shown } = want('a');
    await expect.poll(() => shown).toEqual(['none']);
  });

  it('reports `none` if there is no answer', async () => {
    const { want } = createCounted(() => Promise.reject(new TypeError('no answer')));
    const { shown } = want('a');
    await expect.poll(() => shown).toEqual(['none']);
  });

  it('requests a missing thumbnail again after 30 s, or at once after a recording', async () => {
    vi.useFakeTimers();
    const { requested, want, loader } = createCounted((cid, times) =>
      times < 3 ? Promise.reject(new TypeError('no thumbnail')) : text(cid),
    );
    const look = async () => {
      const { shown } = want('a');
      await vi.advanceTimersByTimeAsync(0);
      return shown;
    };
    expect([await look(), await look(), requested.length]).toEqual([['none'], ['none'], 1]);
    vi.setSystemTime(Date.now() + 30_000);
    expect([await look(), requested.length]).toEqual([['none'], 2]);
    loader.forgetMisses();
    expect([await look(), requested.length]).toEqual([[{ text: 'a' }], 3]);
    loader.forgetMisses();
    expect([await look(), requested.length]).toEqual([[{ text: 'a' }], 3]);
  });

  it('leaves a part of the rate limit to the page', async () => {
    vi.useFakeTimers();
    const soon = Math.floor(Date.now() / 1000) + 40;
    const { requested, want } = createCounted((cid) =>
      text(cid, { 'x-ratelimit-remaining': '30', 'x-ratelimit-reset': String(soon) }),
    );
    for (const cid of ['a', 'b', 'c', 'd']) want(cid);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(requested).toEqual(['a', 'b', 'c']);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(requested).toEqual(['a', 'b', 'c', 'd']);
  });

  it('repeats a request later if it exceeded the rate limit', async () => {
    vi.useFakeTimers();
    const body = { code: 'TooManyRequests', message: 'Too many requests.', requestId: 'r' } as const;
    const refusal = new ApiError(body, { status: 429 });
    const { requested, want } = createCounted((cid, times) =>
      times === 1 ? Promise.reject(refusal) : text(cid),
    );
    const { shown } = want('a');
    await vi.advanceTimersByTimeAsync(19_000);
    expect([requested, shown]).toEqual([['a'], []]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([requested, shown]).toEqual([['a', 'a'], [{ text: 'a' }]]);
  });
});
