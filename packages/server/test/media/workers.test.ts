import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMediaEngine, type MediaEngineOptions } from '../../src/media/create-media-engine.js';
import type { MediaEngine } from '../../src/media/media-engine.js';
import { compileEngine } from '../../src/media/start-worker.js';
import type { FromWorker } from '../../src/media/worker/protocol.js';
import { define } from '../support/manifests.js';
import { makeMediaFiles } from '../support/media-files.js';
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
  const engine = await createMediaEngine({ maxBytes: 1e9, timeoutMs: 30_000, threads: 1, ...options });
  opened.push(engine);
  return engine;
}

/** A program for the threads that greets and then does as it is told for the tasks on files of that name. */
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

const read = (engine: MediaEngine, file = picture) => engine.read({ path: file, mediaType: 'image/jpeg' });

function sign(engine: MediaEngine, outputPath: string, source = picture) {
  const mediaType = source === large ? 'video/mp4' : 'image/jpeg';
  const request = { path: source, mediaType, definition: define(), ingredients: [], signer: makeSigner() };
  return engine.sign({ ...request, outputPath });
}

describe('a thread', () => {
  it('that hangs is ended with 504 when its time is over, and the next file is read', async () => {
    const workerFile = writeProgram('hangs', `while (task.path.includes('hang')) {} answer();`);
    const engine = await open({ workerFile, timeoutMs: 300 });
    const startedMs = performance.now();
    await expect(read(engine, 'hang')).rejects.toMatchObject({ code: 'Timeout', status: 504 });
    expect(performance.now() - startedMs).toBeLessThan(3000);
    expect(await read(engine)).toEqual({ kind: 'none' });
  });

  it('that is deep in a real file is ended too, and leaves nothing', async () => {
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
  ])('that %s costs its own file a 503 only', async (name, how) => {
    const program = `if (task.path.includes('crash')) { ${how} } else setTimeout(answer, 50);`;
    const engine = await open({
      workerFile: writeProgram(`crash-${name.split(' ')[0]}`, program),
      threads: 2,
    });
    const other = read(engine);
    await expect(read(engine, 'crash')).rejects.toMatchObject({ code: 'Unavailable', status: 503 });
    expect(await other).toEqual({ kind: 'none' });
    expect(await read(engine)).toEqual({ kind: 'none' });
  });

  it('is replaced when its memory grew', async () => {
    const program = `globalThis.count = (globalThis.count ?? 0) + 1;
      parentPort.postMessage({ kind: 'done', answer: { kind: 'remote', url: String(globalThis.count) },
        load: { ...load, memoryBytes: task.path.includes('big') ? 2 ** 30 : 0 } });`;
    const engine = await open({ workerFile: writeProgram('grows', program) });
    const counts = [];
    for (const file of ['small', 'big', 'small', 'small']) counts.push(await read(engine, file));
    expect(counts.map((outcome) => outcome.kind === 'remote' && outcome.url)).toEqual(['1', '2', '1', '2']);
  });

  it('reports the memory that a large file took', async () => {
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
  it('works off more files than it has threads', async () => {
    const engine = await open({ threads: 2 });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => read(engine)));
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => ({ kind: 'none' })));
  });

  it('refuses files with 503 when too many wait', async () => {
    const engine = await open({ workerFile: writeProgram('slow', 'setTimeout(answer, 5);') });
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => read(engine)));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(60);
    expect(refused[0]).toMatchObject({ reason: { code: 'Unavailable' } });
  });

  it('lets the main thread go on while it works', async () => {
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

  it('rejects what is under way when it is closed, and everything after', async () => {
    const engine = await open({ workerFile: writeProgram('waits', '') });
    const pending = [read(engine), read(engine)].map((call) => call.catch((error) => error.code));
    await engine.close();
    expect(await Promise.all(pending)).toEqual(['Unavailable', 'Unavailable']);
    await expect(read(engine)).rejects.toMatchObject({ code: 'Unavailable' });
  });

  it('never overwrites a file', async () => {
    const engine = await open();
    await expect(sign(engine, picture)).rejects.toThrow('exists already');
  });
});

describe('without its package', () => {
  it('the engine says that it is not available, and nothing else breaks', async () => {
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
  ])('and when its compiled code %s', async (name, content) => {
    const wasmFile = path.join(folder, `${name}.wasm`);
    if (content !== undefined) writeFileSync(wasmFile, content);
    const engine = await open({ wasmFile });
    expect(engine.available).not.toBe(true);
    await expect(read(engine)).rejects.toMatchObject({ code: 'Unavailable' });
  });
});
