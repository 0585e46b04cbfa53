import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { compileEngine } from '../../src/media/compile-engine.js';
import { createMediaEngine, type MediaEngineOptions } from '../../src/media/create-media-engine.js';
import { createLazyEngine } from '../../src/media/lazy-engine.js';
import type { MediaEngine } from '../../src/media/media-engine.js';
import type { FromWorker } from '../../src/media/worker/protocol.js';
import { define } from '../support/manifests.js';
import { makeMediaFiles } from '../support/media-files.js';
import { openScheduler } from '../support/scheduler.js';
import { makeSigner } from '../support/signers.js';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'colophon-workers-'));
const picture = path.join(folder, 'picture.jpg');
const large = path.join(folder, 'large.mp4');
const opened: MediaEngine[] = [];

beforeAll(async () => {
  const files = await makeMediaFiles();
  const bytesOf = (name: string) => files.find((file) => file.name === name)?.bytes ?? Buffer.alloc(0);
  writeFileSync(picture, bytesOf('JPEG'));
  const padding = Buffer.alloc(96 * 1024 * 1024);
  padding.writeUInt32BE(padding.length);
  padding.write('free', 4);
  writeFileSync(large, Buffer.concat([bytesOf('MP4'), padding]));
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()));
});

afterAll(() => rmSync(folder, { recursive: true }));

async function open(options: Partial<MediaEngineOptions> = {}): Promise<MediaEngine> {
  const scheduler = openScheduler();
  const engine = await createMediaEngine({ maxBytes: 1e9, timeoutMs: 30_000, scheduler, ...options });
  opened.push(engine);
  return engine;
}

/** The program reports that it is ready, then runs `onTask` for each task. */
function writeProgram(name: string, onTask: string): string {
  const file = path.join(folder, `${name}.mjs`);
  const source = `import { parentPort } from 'node:worker_threads';
const load = { memoryBytes: 0, networkAttempts: 0, isPoisoned: false };
const answer = (extra = {}) => parentPort.postMessage({ kind: 'done', answer: { kind: 'none' }, load: { ...load, ...extra } });
parentPort.on('message', ({ task }) => { ${onTask} });
parentPort.postMessage({ kind: 'ready' });`;
  writeFileSync(file, source);
  return file;
}

const read = (engine: MediaEngine, file = picture, tenant = '') =>
  engine.read({ path: file, mediaType: 'image/jpeg', tenant });

function sign(engine: MediaEngine, outputPath: string, source = picture) {
  const mediaType = source === large ? 'video/mp4' : 'image/jpeg';
  const request = { path: source, mediaType, definition: define(), ingredients: [], signer: makeSigner() };
  return engine.sign({ ...request, outputPath });
}

describe('a thread', () => {
  it('is ended after all callers of its file left, and another file gets the slot', async () => {
    const workerFile = writeProgram('abandoned', `while (task.path.includes('hang')) {} answer();`);
    const scheduler = openScheduler();
    const engine = await open({ workerFile, scheduler });
    const leaving = new AbortController();
    const request = { path: 'hang', mediaType: 'image/jpeg', signal: leaving.signal };
    const gone = [engine.read(request), engine.read(request)];
    const next = read(engine);
    leaving.abort(new Error('left'));
    for (const one of gone) await expect(one).rejects.toThrow('left');
    expect(await next).toEqual({ kind: 'none' });
    expect(scheduler.counts().media).toEqual({ running: 0, waiting: 0, refused: 0 });
  });

  it.runIf(process.platform === 'linux')(
    'has a lower priority than the threads that answer requests',
    async () => {
      const engine = await open();
      await read(engine);
      const niceOf = (thread: string) =>
        Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]);
      const threads = readdirSync('/proc/self/task').filter((thread) =>
        existsSync(`/proc/self/task/${thread}`),
      );
      const [ours, low] = [niceOf(String(process.pid)), constants.priority.PRIORITY_BELOW_NORMAL];
      expect(threads.filter((thread) => niceOf(thread) > ours)).toHaveLength(ours < low ? 1 : 0);
    },
  );

  it('is ended with 504 at its time limit if it hangs, and the next file is read', async () => {
    const workerFile = writeProgram('hangs', `while (task.path.includes('hang')) {} answer();`);
    const engine = await open({ workerFile, timeoutMs: 300 });
    const startedMs = performance.now();
    await expect(read(engine, 'hang')).rejects.toMatchObject({ code: 'Timeout', status: 504 });
    expect(performance.now() - startedMs).toBeLessThan(3000);
    expect(await read(engine)).toEqual({ kind: 'none' });
  });

  it('is ended with 504 while it signs a real file, and leaves no file behind', async () => {
    const engine = await open({ timeoutMs: 40 });
    const outputPath = path.join(folder, 'never');
    await expect(sign(engine, outputPath, large)).rejects.toMatchObject({ code: 'Timeout', status: 504 });
    await sleep(200);
    expect(existsSync(outputPath)).toBe(false);
  });

  it.each([
    ['ends', 'process.exit(3)'],
    ['throws', 'throw new Error("planted")'],
    ['uses up its memory', 'const all = []; for (;;) all.push(new Array(1e6).fill({}).map(() => ({})));'],
  ])('that %s makes only its own file fail, with 503', async (name, how) => {
    const program = `if (task.path.includes('crash')) { ${how} } else setTimeout(answer, 50);`;
    const engine = await open({
      workerFile: writeProgram(`crash-${name.split(' ')[0]}`, program),
      scheduler: openScheduler({ media: 2 }),
    });
    const other = read(engine);
    await expect(read(engine, 'crash')).rejects.toMatchObject({ code: 'Unavailable', status: 503 });
    expect(await other).toEqual({ kind: 'none' });
    expect(await read(engine)).toEqual({ kind: 'none' });
  });

  it('is ended with 503 as soon as it uses too much memory outside its heap', async () => {
    const program = `if (task.path.includes('bomb')) {
        const all = []; for (;;) { all.push(Buffer.alloc(2 ** 24, 1)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5); }
      } else setTimeout(answer, 50);`;
    const workerFile = writeProgram('swells', program);
    const engine = await open({ workerFile, memoryBytes: 256 * 2 ** 20, timeoutMs: 20_000 });
    await expect(read(engine, 'bomb')).rejects.toMatchObject({
      code: 'Unavailable',
      message: expect.stringContaining('memory'),
    });
    expect(await read(engine)).toEqual({ kind: 'none' });
  });

  it('is replaced after a task that made its memory grow', async () => {
    const program = `globalThis.count = (globalThis.count ?? 0) + 1;
      parentPort.postMessage({ kind: 'done', answer: { kind: 'remote', url: String(globalThis.count) },
        load: { ...load, memoryBytes: task.path.includes('big') ? 2 ** 30 : 0 } });`;
    const engine = await open({ workerFile: writeProgram('grows', program) });
    const counts = [];
    for (const file of ['small', 'big', 'small', 'small']) counts.push(await read(engine, file));
    expect(counts.map((outcome) => outcome.kind === 'remote' && outcome.url)).toEqual(['1', '2', '1', '2']);
  });

  it('is ended when idle, and the next file gets a new thread', async () => {
    const program = `globalThis.count = (globalThis.count ?? 0) + 1;
      parentPort.postMessage({ kind: 'done', answer: { kind: 'remote', url: String(globalThis.count) }, load });`;
    const engine = await open({ workerFile: writeProgram('idles', program), idleMs: 1 });
    await read(engine);
    await vi.waitFor(async () => expect(await read(engine)).toEqual({ kind: 'remote', url: '1' }), 20_000);
  });

  it('keeps its slot after a failed signature until it has finished with the file', async () => {
    const [heard, flag] = [path.join(folder, 'heard'), path.join(folder, 'may-end')];
    const program = `const { existsSync, writeFileSync } = process.getBuiltinModule('node:fs');
      if (task) return parentPort.postMessage({ kind: 'sign', by: 'signer', payload: new Uint8Array(8), isDraft: false });
      writeFileSync(${JSON.stringify(heard)}, '');
      const ending = setInterval(() => {
        if (!existsSync(${JSON.stringify(flag)})) return;
        clearInterval(ending);
        parentPort.postMessage({ kind: 'failed', code: 'Internal', message: 'not signed', load });
      }, 1);`;
    const scheduler = openScheduler();
    const workerFile = writeProgram('unsigned', program);
    const engine = await open({ workerFile, scheduler, fetch: () => Promise.reject(new Error('no clock')) });
    const signer = makeSigner();
    const request = { path: picture, mediaType: 'image/jpeg', definition: define(), ingredients: [] };
    const outputPath = path.join(folder, 'unsigned.jpg');
    const tsaUrl = 'http://127.0.0.1:1/';
    const failed = engine.sign({ ...request, outputPath, signer: { ...signer, tsaUrl } }).catch(String);
    let hasFailed = false;
    void failed.then(() => {
      hasFailed = true;
    });
    await vi.waitFor(() => expect(existsSync(heard)).toBe(true), 20_000);
    expect([hasFailed, scheduler.counts().media.running]).toEqual([false, 1]);
    writeFileSync(flag, '');
    expect(await failed).toContain('time-stamp service cannot be reached');
    expect(scheduler.counts().media.running).toBe(0);
  });

  it('reports the memory use of a large file', async () => {
    const worker = new Worker(path.join(DIST, 'media/worker/worker.js'), {
      workerData: { program: await compileEngine() },
    });
    await once(worker, 'message');
    const measure = async (file: string, mediaType: string) => {
      worker.postMessage({ kind: 'run', task: { kind: 'read', path: file, mediaType, maxBytes: 1e9 } });
      const [{ load }] = (await once(worker, 'message')) as [FromWorker & { kind: 'done' }];
      return load.memoryBytes / 2 ** 20;
    };
    expect(await measure(picture, 'image/jpeg')).toBeLessThan(64);
    expect(await measure(large, 'video/mp4')).toBeGreaterThan(96);
    await worker.terminate();
  });
});

describe('the media engine', () => {
  it('processes more files than it has threads', async () => {
    const engine = await open({ scheduler: openScheduler({ media: 2 }) });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => read(engine, picture, `${index % 2}`)),
    );
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => ({ kind: 'none' })));
  });

  it('rejects files with 503 when too many wait', async () => {
    const scheduler = openScheduler({}, { maxWaiting: 8 });
    const engine = await open({ workerFile: writeProgram('slow', 'setTimeout(answer, 5);'), scheduler });
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => read(engine)));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(60);
    expect(refused[0]).toMatchObject({ reason: { code: 'Unavailable' } });
  });

  it('lets no caller wait for all files of another caller', async () => {
    const engine = await open({ workerFile: writeProgram('turns', 'setTimeout(answer, 20);') });
    const order: string[] = [];
    const call = (name: string, tenant: string) => read(engine, name, tenant).then(() => order.push(name));
    const many = Array.from({ length: 6 }, (_, index) => call(`a${index}`, 'a'));
    await Promise.all([...many, call('b0', 'b')]);
    expect(order.indexOf('b0')).toBeLessThanOrEqual(2);
  });

  it('rejects more than a share of the queue from one caller, and accepts others', async () => {
    const scheduler = openScheduler({}, { maxWaiting: 8 });
    const engine = await open({ workerFile: writeProgram('share', 'setTimeout(answer, 20);'), scheduler });
    const calls = Array.from({ length: 12 }, () => read(engine, 'x', 'greedy'));
    const other = read(engine, 'x', 'modest');
    const states = (await Promise.allSettled(calls)).map(({ status }) => status);
    expect(states.filter((status) => status === 'rejected')).toHaveLength(3);
    expect(await other).toEqual({ kind: 'none' });
  });

  it('rejects with 503 a file that waited too long for a slow file', async () => {
    const program = `if (task.path.includes('slow')) setTimeout(answer, 2000); else answer();`;
    const scheduler = openScheduler({}, { maxWaitMs: 200 });
    const engine = await open({ workerFile: writeProgram('waited', program), scheduler });
    const slow = read(engine, 'slow');
    await expect(read(engine, 'quick', 'b')).rejects.toMatchObject({ code: 'Unavailable', status: 503 });
    expect(await slow).toEqual({ kind: 'none' });
    expect(await read(engine, 'quick', 'b')).toEqual({ kind: 'none' });
  });

  it('does not block the main thread', async () => {
    const engine = await open();
    await read(engine);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    await engine.read({ path: large, mediaType: 'video/mp4' });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it('rejects running and later calls with Unavailable when it is closed', async () => {
    const engine = await open({ workerFile: writeProgram('waits', '') });
    const pending = [read(engine), read(engine)].map((call) => call.catch((error) => error.code));
    await engine.close();
    expect(await Promise.all(pending)).toEqual(['Unavailable', 'Unavailable']);
    await expect(read(engine)).rejects.toMatchObject({ code: 'Unavailable' });
  });

  it('never overwrites a file with a signed copy', async () => {
    const engine = await open();
    await expect(sign(engine, picture)).rejects.toThrow('exists already');
  });
});

describe('a start that fails', () => {
  it('is not repeated immediately while another thread lives', async () => {
    const starts = path.join(folder, 'starts');
    const workerFile = path.join(folder, 'starts-once.mjs');
    writeFileSync(
      workerFile,
      `import { appendFileSync, existsSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
const isFirst = !existsSync(${JSON.stringify(starts)});
appendFileSync(${JSON.stringify(starts)}, 'x');
const load = { memoryBytes: 0, networkAttempts: 0, isPoisoned: false };
parentPort.on('message', () => setTimeout(() => parentPort.postMessage({ kind: 'done', answer: { kind: 'none' }, load }), 1500));
parentPort.postMessage(isFirst ? { kind: 'ready' } : { kind: 'unready', message: 'no room' });`,
    );
    const engine = await open({ workerFile, scheduler: openScheduler({ media: 3 }) });
    expect(await Promise.all([read(engine), read(engine)])).toEqual([{ kind: 'none' }, { kind: 'none' }]);
    expect(readFileSync(starts, 'utf8')).toBe('xx');
  });

  it('is repeated at a later call', async () => {
    const wasmFile = path.join(folder, 'comes-late.wasm');
    const options = {
      maxBytes: 1e9,
      timeoutMs: 30_000,
      scheduler: openScheduler(),
      wasmFile,
      retryAfterMs: 500,
    };
    const lazy = createLazyEngine(options);
    expect((await lazy.get()).available).not.toBe(true);
    expect((await lazy.get()).available).not.toBe(true);
    cpSync(createRequire(import.meta.url).resolve('@contentauth/c2pa-wasm/c2pa.wasm'), wasmFile);
    await sleep(600);
    expect((await lazy.get()).available).toBe(true);
    await lazy.close();
  });
});

describe('an engine that cannot be loaded', () => {
  it('reports that it is not available when its package is missing, and rejects each call', async () => {
    const lonely = path.join(folder, 'lonely');
    cpSync(DIST, path.join(lonely, 'dist'), { recursive: true });
    writeFileSync(path.join(lonely, 'package.json'), '{"type":"module"}');
    const engine = await open({ workerFile: path.join(lonely, 'dist/media/worker/worker.js') });
    expect(engine.available).toMatchObject({ reason: expect.stringContaining('Cannot find package') });
    await expect(read(engine)).rejects.toMatchObject({ code: 'Unavailable', status: 503 });
    await expect(sign(engine, path.join(folder, 'x'))).rejects.toMatchObject({ code: 'Unavailable' });
  });

  it.each([
    ['is missing', undefined],
    ['is damaged', 'not compiled code'],
  ])('reports that it is not available when its compiled code %s', async (name, content) => {
    const wasmFile = path.join(folder, `${name}.wasm`);
    if (content !== undefined) writeFileSync(wasmFile, content);
    const engine = await open({ wasmFile });
    expect(engine.available).not.toBe(true);
    await expect(read(engine)).rejects.toMatchObject({ code: 'Unavailable' });
  });
});
