import { createHook } from 'node:async_hooks';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createThreadClient,
  type ThreadClient,
  type ThreadClientOptions,
} from '../src/platform/threads/thread-client.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-asked-'));
const workerFile = path.join(folder, 'worker.mjs');
writeFileSync(
  workerFile,
  `import { parentPort, threadId } from 'node:worker_threads';
parentPort.on('message', ({ id, say }) => {
  while (say === 'hang');
  if (say === 'never') return;
  if (say === 'end') process.exit(1);
  parentPort.postMessage(say === 'fail' ? { id, failure: 'planted' } : { id, answer: { say, threadId } });
});`,
);

type Thread = ThreadClient<{ say: string }, { say: string; threadId: number }>;
const opened: Thread[] = [];

function open(options: Partial<ThreadClientOptions> = {}): Thread {
  const thread: Thread = createThreadClient({ workerFile, stopped: 'It stopped.', atOnce: 1, ...options });
  opened.push(thread);
  return thread;
}

afterEach(() => Promise.all(opened.splice(0).map((thread) => thread.close())));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a thread for queries', () => {
  it('takes turns between projects', async () => {
    const thread = open();
    const answered: string[] = [];
    const ask = async (say: string) => answered.push((await thread.ask(say.slice(0, 1), { say })).say);
    await Promise.all(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(ask));
    expect(answered).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('drops an abandoned query that waits, and is replaced if the abandoned query runs', async () => {
    const thread = open();
    const [running, waiting] = [new AbortController(), new AbortController()];
    const before = await thread.ask('a', { say: 'before' });
    const hung = expect(thread.ask('a', { say: 'hang' }, running)).rejects.toThrow('left');
    const dropped = expect(thread.ask('a', { say: 'end' }, waiting)).rejects.toThrow('gave up');
    const next = thread.ask('b', { say: 'next' });
    waiting.abort(new Error('gave up'));
    await dropped;
    running.abort(new Error('left'));
    await hung;
    const after = await next;
    expect(after.say).toBe('next');
    expect(after.threadId).not.toBe(before.threadId);
    await expect(thread.ask('a', { say: 'late' }, running)).rejects.toThrow('left');
  });

  it('rejects an abandoned query among others at once, and continues the others in the same thread', async () => {
    const thread = open({ atOnce: 3 });
    const gone = new AbortController();
    const before = await thread.ask('a', { say: 'before' });
    const abandoned = expect(thread.ask('a', { say: 'never' }, gone)).rejects.toThrow('left');
    const beside = thread.ask('b', { say: 'beside' });
    gone.abort(new Error('left'));
    await abandoned;
    expect(await beside).toEqual({ say: 'beside', threadId: before.threadId });
    expect(await thread.ask('a', { say: 'next' })).toEqual({ say: 'next', threadId: before.threadId });
  });

  it('starts a second thread only for a query that finds the first thread busy', async () => {
    const thread = open({ threads: 2 });
    const gone = new AbortController();
    const first = await thread.ask('a', { say: 'first' });
    expect(await thread.ask('a', { say: 'again' })).toEqual({ say: 'again', threadId: first.threadId });
    const hung = expect(thread.ask('a', { say: 'hang' }, gone)).rejects.toThrow('left');
    const second = await thread.ask('a', { say: 'second' });
    expect(second.threadId).not.toBe(first.threadId);
    expect(await thread.ask('a', { say: 'third' })).toEqual({ say: 'third', threadId: second.threadId });
    gone.abort(new Error('left'));
    await hung;
  });

  it('is replaced when a query exceeds its time limit, and then answers the next query', async () => {
    const thread = open();
    const toTimeout = (timeoutMs: number) => new Error(`longer than ${timeoutMs}`);
    const before = await thread.ask('a', { say: 'before' }, { limit: { timeoutMs: 60_000, toTimeout } });
    const hung = expect(thread.ask('a', { say: 'hang' }, { limit: { timeoutMs: 50, toTimeout } }));
    const next = thread.ask('b', { say: 'next' });
    await hung.rejects.toThrow('longer than 50');
    expect((await next).threadId).not.toBe(before.threadId);
  });

  it('continues with the next query after a failure', async () => {
    const thread = open();
    await expect(thread.ask('a', { say: 'fail' })).rejects.toThrow('planted');
    expect(await thread.ask('a', { say: 'next' })).toMatchObject({ say: 'next' });
  });

  it.each([
    ['ends', 'end'],
    ['is silent for too long', 'hang'],
  ])('is replaced if it %s, and rejects only its running query, with 503', async (_how, say) => {
    const thread = open({ silentMs: 4_000 });
    const lost = thread.ask('a', { say });
    const next = thread.ask('a', { say: 'next' });
    await expect(lost).rejects.toMatchObject({ code: 'Unavailable', message: 'It stopped.' });
    expect(await next).toMatchObject({ say: 'next' });
  });

  it('ends when idle, and the next query starts another thread', async () => {
    const thread = open({ idleMs: 1 });
    const first = await thread.ask('a', { say: '' });
    await vi.waitFor(async () => expect(await thread.ask('a', { say: '' })).not.toEqual(first), 20_000);
  });

  it('rejects every query when it is closed', async () => {
    const thread = open();
    const asked = ['hang', 'next'].map((say) => thread.ask('a', { say }));
    const settled = Promise.allSettled(asked);
    await thread.close();
    for (const one of await settled) expect(one).toMatchObject({ reason: { code: 'Unavailable' } });
  });

  it('starts no thread after it is closed, and rejects every later query', async () => {
    const thread = open();
    const retry = (say: string) => thread.ask('a', { say }).catch(() => thread.ask('a', { say: 'late' }));
    const settled = Promise.allSettled([retry('hang'), retry('next')]);
    const types: string[] = [];
    const hook = createHook({ init: (_id, type) => void types.push(type) }).enable();
    onTestFinished(() => void hook.disable());
    await thread.close();
    for (const one of await settled)
      expect(one).toMatchObject({ reason: { code: 'Unavailable', message: 'It stopped.' } });
    await expect(thread.ask('b', { say: 'late' })).rejects.toMatchObject({ code: 'Unavailable' });
    expect(types).not.toContain('WORKER');
  });
});
