import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { makePicture } from '../../../../bench/support/pictures.mjs';
import type { NeuralModel } from '../../src/search/neural/neural-model.js';
import { createSearchPool, type SearchPool, type SearchPoolOptions } from '../../src/search/search-pool.js';
import type { SearchTask } from '../../src/search/worker/protocol.js';
import { readNiceness } from '../support/thread-niceness.js';
import { openToyModel } from '../support/toy-model.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-search-'));
const opened: SearchPool[] = [];

function open(options: Partial<SearchPoolOptions> = {}): SearchPool {
  const pool = createSearchPool({ timeoutMs: 30_000, maxPictureBytes: 2 ** 28, ...options });
  opened.push(pool);
  return pool;
}

/** The program replaces the program of a thread. */
function program(source: string): string {
  const file = path.join(folder, `${opened.length}.mjs`);
  writeFileSync(file, `import { parentPort } from 'node:worker_threads';\n${source}`);
  return file;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()));
});
afterAll(() => rmSync(folder, { recursive: true }));

const PLACE = { signal: new AbortController().signal, hold: () => {} };
const TEXT = {
  kind: 'describe',
  as: 'text',
  mediaType: 'text/plain',
  bytes: Buffer.from('one two three four five six '.repeat(5)),
} as const;

describe('the threads that describe content', () => {
  it('describe a picture and a text, and check candidates', async () => {
    const pool = open();
    const bytes = await makePicture(3);
    const picture = await pool.run({ kind: 'describe', as: 'image', mediaType: 'image/png', bytes }, PLACE);
    if (picture.kind !== 'described') throw new Error(JSON.stringify(picture));
    const { method, evidence } = picture.described;
    const candidates = [{ cid: 'a', type: 'image', turn: 0, cosine: 1, evidence }];
    const answer = await pool.run({ kind: 'check', method, evidence, candidates }, PLACE);
    expect(answer).toEqual({
      kind: 'checked',
      checked: [{ cid: 'a', type: 'image', cosine: 1, agreement: expect.closeTo(1, 5) }],
    });
    expect((await pool.run(TEXT, PLACE)).kind).toBe('described');
  });

  it.runIf(process.platform === 'linux' && getPriority() < 5)(
    'have a niceness of 5, except the thread of the small texts',
    async () => {
      const before = readNiceness();
      const lowered = () =>
        [...readNiceness()].filter(([id, niceness]) => !before.has(id) && niceness !== getPriority());
      const pool = open();
      await pool.run(TEXT, PLACE);
      expect(lowered()).toEqual([]);
      const large = { ...TEXT, bytes: new TextEncoder().encode('word '.repeat(20_000)) };
      await pool.run(large, PLACE);
      expect(lowered().map(([, niceness]) => niceness)).toEqual([5]);
    },
  );

  it('504: end a task that takes too long, and continue with the next', async () => {
    const hangs = program(`parentPort.on('message', (task) => {
      if (task.as === 'image') for (;;);
      parentPort.postMessage({ kind: 'done', answer: { kind: 'nothing', reason: 'next' } });
    });`);
    const pool = open({ workerFile: hangs, timeoutMs: 500 });
    const [stuck, next] = await Promise.allSettled([
      pool.run({ kind: 'describe', as: 'image', mediaType: 'image/png', bytes: new Uint8Array() }, PLACE),
      pool.run(TEXT, PLACE),
    ]);
    expect(stuck).toMatchObject({ status: 'rejected', reason: { code: 'Timeout', status: 504 } });
    expect(next).toEqual({ status: 'fulfilled', value: { kind: 'nothing', reason: 'next' } });
  });

  it('503: reject only the task of a thread that dies', async () => {
    const dies = program(`parentPort.on('message', (task) => {
      if (task.as === 'image') process.exit(1);
      parentPort.postMessage({ kind: 'done', answer: { kind: 'nothing', reason: 'next' } });
    });`);
    const pool = open({ workerFile: dies });
    const [dead, next] = await Promise.allSettled([
      pool.run({ kind: 'describe', as: 'image', mediaType: 'image/png', bytes: new Uint8Array() }, PLACE),
      pool.run(TEXT, PLACE),
    ]);
    expect(dead).toMatchObject({ status: 'rejected', reason: { code: 'Unavailable' } });
    expect(next.status).toBe('fulfilled');
  });

  it('process several small texts at a time, and answer each separately', async () => {
    const gathers = program(`const texts = []; parentPort.on('message', ({ mediaType }) => {
      if (texts.push(mediaType) > 1 && texts.length < 5) return;
      const answer = (reason) => parentPort.postMessage({ kind: 'done', answer: { kind: 'nothing', reason } });
      if (texts.length === 1) answer(mediaType);
      else for (const text of texts.slice(1)) answer(text);
    });`);
    const pool = open({ workerFile: gathers });
    const names = ['alone', 'one', 'two', 'three', 'four'];
    const answers = await Promise.all(names.map((mediaType) => pool.run({ ...TEXT, mediaType }, PLACE)));
    expect(answers).toEqual(names.map((reason) => ({ kind: 'nothing', reason })));
  });

  it('503: reject running and later tasks when the pool is closed', async () => {
    const idle = program(`parentPort.on('message', () => {});`);
    const pool = open({ workerFile: idle });
    const settled = Promise.allSettled([pool.run(TEXT, PLACE), pool.run(TEXT, PLACE)]);
    await pool.close();
    expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
    await expect(pool.run(TEXT, PLACE)).rejects.toMatchObject({ code: 'Unavailable' });
  });

  it('end the task of an abandoned picture, and keep its slot until the thread has ended', async () => {
    const hangs = program(`parentPort.on('message', (task) => {
      if (task.as === 'image') for (;;);
      parentPort.postMessage({ kind: 'done', answer: { kind: 'nothing', reason: 'next' } });
    });`);
    const pool = open({ workerFile: hangs });
    const leaving = new AbortController();
    const held: Promise<unknown>[] = [];
    const place = { signal: leaving.signal, hold: (ended: Promise<unknown>) => held.push(ended) };
    const gone = pool.run({ ...TEXT, as: 'image' }, place);
    leaving.abort(new Error('left'));
    await expect(gone).rejects.toThrow('left');
    expect(held).toHaveLength(1);
    await held[0];
    expect(await pool.run(TEXT, PLACE)).toEqual({ kind: 'nothing', reason: 'next' });
  });

  it('keep one idle thread with the watermark model, which runs the next tasks with this model', async () => {
    const threads = program(`import { threadId } from 'node:worker_threads';
      parentPort.on('message', () => setTimeout(
        () => parentPort.postMessage({ kind: 'done', answer: { kind: 'nothing', reason: String(threadId) } }), 200));`);
    const watermarkModel = openToyModel(path.join(folder, 'model'));
    const pool = open({ workerFile: threads, watermarkModel });
    const held: Promise<unknown>[] = [];
    const place = { ...PLACE, hold: (ended: Promise<unknown>) => held.push(ended) };
    const bytes = new Uint8Array();
    const threadOf = async (task: SearchTask) => {
      const answer = await pool.run(task, place);
      return answer.kind === 'nothing' ? answer.reason : answer.kind;
    };
    const reading = { kind: 'readMark', as: 'image', bytes } as const;
    const marking = { kind: 'mark', as: 'image', bytes, payload: 1n } as const;
    const describing = { kind: 'describe', as: 'image', mediaType: 'image/png', bytes } as const;
    const first = await Promise.all([reading, marking, reading].map(threadOf));
    expect(new Set(first).size).toBe(3);
    expect(held).toHaveLength(2);
    await Promise.all(held);
    const kept = await threadOf(marking);
    expect(first).toContain(kept);
    expect(first).not.toContain(await threadOf(describing));
    expect(await threadOf({ ...reading, as: 'heif' })).toBe(kept);
    expect(held).toHaveLength(2);
  });

  it('get more time for a picture with a watermark model, which they may have to load', async () => {
    const slow = program(`parentPort.on('message', () => setTimeout(
      () => parentPort.postMessage({ kind: 'done', answer: { kind: 'read', bindings: [] } }), 1_500));`);
    const watermarkModel = openToyModel(path.join(folder, 'model'));
    const read = (model?: NeuralModel) =>
      open({ workerFile: slow, timeoutMs: 1_000, watermarkModel: model }).run(
        { kind: 'readMark', as: 'image', bytes: new Uint8Array() },
        PLACE,
      );
    expect(await read(watermarkModel)).toEqual({ kind: 'read', bindings: [] });
    await expect(read()).rejects.toMatchObject({ code: 'Timeout' });
  });

  it('describe a sound and a PDF whose programs use little processor time, but wait 12 s for it', async () => {
    const values = Array.from({ length: 100 }, (_, index) => Math.imul(index >> 1, 0x9e3779b1) >>> 0);
    const outputs = {
      fpcalc: JSON.stringify({ duration: 20, fingerprint: values }),
      pdftotext: TEXT.bytes.toString(),
    };
    const programs = Object.entries(outputs).map(([name, output]) => {
      const file = path.join(folder, `waiting-${name}`);
      writeFileSync(file, `#!/bin/sh\nsleep 12; echo '${output}'\n`, { mode: 0o755 });
      return [name, file];
    });
    const pool = open({ timeoutMs: 10_000, ...Object.fromEntries(programs) });
    const contents = [
      { as: 'audio', mediaType: 'audio/wav' },
      { as: 'pdf', mediaType: 'application/pdf' },
    ] as const;
    const answers = contents.map((content) =>
      pool.run({ kind: 'describe', bytes: Buffer.alloc(100), ...content }, PLACE),
    );
    expect((await Promise.all(answers)).map(({ kind }) => kind)).toEqual(['described', 'described']);
  });

  it('give more time to a description that is stored, because no job repeats it', async () => {
    const slow = program(`parentPort.on('message', () => setTimeout(
      () => parentPort.postMessage({ kind: 'done', answer: { kind: 'nothing', reason: 'slow' } }), 1_500));`);
    const describe = (isOnlyStored: boolean) =>
      open({ workerFile: slow, timeoutMs: 1_000 }).run(
        { kind: 'describe', as: 'image', mediaType: 'image/png', bytes: new Uint8Array(), isOnlyStored },
        PLACE,
      );
    expect(await describe(true)).toEqual({ kind: 'nothing', reason: 'slow' });
    await expect(describe(false)).rejects.toMatchObject({ code: 'Timeout' });
  });

  it('leave no file when a sound is abandoned', async () => {
    const bytes = Buffer.alloc(5_000, 'sound');
    const sum = execFileSync('cksum', { input: bytes, encoding: 'utf8' }).trim();
    const started = path.join(folder, 'started');
    const fpcalc = path.join(folder, 'fpcalc');
    // The process may write no file, so the program makes a directory when it has read all bytes.
    const script = `#!/bin/sh\n[ "$(cksum < /dev/fd/3)" = '${sum}' ] && mkdir ${started}; sleep 1\n`;
    writeFileSync(fpcalc, script, { mode: 0o755 });
    const pool = open({ fpcalc });
    const leaving = new AbortController();
    const held: Promise<unknown>[] = [];
    const place = { signal: leaving.signal, hold: (ended: Promise<unknown>) => held.push(ended) };
    const sounds = () => readdirSync(tmpdir()).filter((name) => name.startsWith('colophon-sound-'));
    const before = sounds();
    const gone = pool.run({ kind: 'describe', as: 'audio', mediaType: 'audio/wav', bytes }, place);
    gone.catch(() => {});
    await expect.poll(() => existsSync(started)).toBe(true);
    leaving.abort(new Error('left'));
    await expect(gone).rejects.toThrow('left');
    await held[0];
    expect(sounds().filter((name) => !before.includes(name))).toEqual([]);
  });

  it('continue with the other texts of a thread, and keep the slot of an abandoned text until its thread answers', async () => {
    const waits = program(`parentPort.on('message', ({ mediaType }) => {
      const answer = { kind: 'nothing', reason: mediaType };
      if (mediaType === 'second') for (let i = 0; i < 2; i++) parentPort.postMessage({ kind: 'done', answer });
    });`);
    const pool = open({ workerFile: waits });
    const leaving = new AbortController();
    const held: Promise<unknown>[] = [];
    const place = { signal: leaving.signal, hold: (ended: Promise<unknown>) => held.push(ended) };
    const gone = pool.run({ ...TEXT, mediaType: 'first' }, place);
    leaving.abort(new Error('left'));
    await expect(gone).rejects.toThrow('left');
    expect(held).toHaveLength(1);
    expect(await pool.run({ ...TEXT, mediaType: 'second' }, PLACE)).toEqual({
      kind: 'nothing',
      reason: 'second',
    });
    await held[0];
  });

  it('504: give Timeout to a text that takes too long, and Unavailable to a text that waits behind it', async () => {
    const hangs = program(`parentPort.on('message', () => { for (;;); });`);
    const pool = open({ workerFile: hangs, timeoutMs: 300 });
    const [stuck, behind] = await Promise.allSettled([pool.run(TEXT, PLACE), pool.run(TEXT, PLACE)]);
    expect(stuck).toMatchObject({ reason: { code: 'Timeout' } });
    expect(behind).toMatchObject({ reason: { code: 'Unavailable' } });
  });

  it('end when idle, and a later task starts another thread', async () => {
    const numbered = program(`const reason = String(Math.random()); parentPort.on('message', () =>
      parentPort.postMessage({ kind: 'done', answer: { kind: 'nothing', reason } }));`);
    const pool = open({ workerFile: numbered, idleMs: 1 });
    const first = await pool.run(TEXT, PLACE);
    await vi.waitFor(async () => expect(await pool.run(TEXT, PLACE)).not.toEqual(first), 20_000);
  });

  it('cannot read the environment', async () => {
    const tells = program(`parentPort.on('message', () => parentPort.postMessage({ kind: 'done',
      answer: { kind: 'nothing', reason: JSON.stringify(process.env) } }));`);
    expect(await open({ workerFile: tells }).run(TEXT, PLACE)).toEqual({ kind: 'nothing', reason: '{}' });
  });
});
