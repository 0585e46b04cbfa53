import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMediaEngine } from '../../src/media/create-media-engine.js';
import type { MediaEngine } from '../../src/media/media-engine.js';
import { define } from '../support/manifests.js';
import { makeMediaFiles } from '../support/media-files.js';
import { openScheduler } from '../support/scheduler.js';
import { signAndRead } from '../support/sign-and-read.js';
import { makeSigner } from '../support/signers.js';

const WORKER = new URL('../../dist/media/worker/', import.meta.url).href;
const folder = mkdtempSync(path.join(tmpdir(), 'colophon-network-'));
let jpeg: Buffer;
let server: Server;
let requests = 0;
let url: string;

beforeAll(async () => {
  jpeg = (await makeMediaFiles())[0]?.bytes ?? Buffer.alloc(0);
  server = createServer((_, response) => {
    requests += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/manifest.c2pa`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** The metadata (XMP) refers to a remote manifest (C2PA 2.2 §11.5). */
function writeRemote(): string {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dcterms="http://purl.org/dc/terms/" dcterms:provenance="${url}"/></rdf:RDF></x:xmpmeta>`;
  const content = Buffer.from(`http://ns.adobe.com/xap/1.0/\0${xmp}`);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  const file = path.join(folder, 'remote.jpg');
  writeFileSync(file, Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]));
  return file;
}

async function withEngine<T>(
  workerFile: string | undefined,
  run: (engine: MediaEngine) => Promise<T>,
): Promise<T> {
  const options = { maxBytes: 1e7, timeoutMs: 20_000, scheduler: openScheduler() };
  const engine = await createMediaEngine({ ...options, ...(workerFile === undefined ? {} : { workerFile }) });
  try {
    return await run(engine);
  } finally {
    await engine.close();
  }
}

/** The thread has the isolation of the real program. */
function writeProgram(onTask: string): string {
  const file = path.join(folder, 'program.mjs');
  const source = `import { parentPort, workerData } from 'node:worker_threads';
import { readFileSync } from 'node:fs';
import { isolateThread } from '${WORKER}isolate-thread.js';
import { loadEngine } from '${WORKER}c2pa-wasm.js';
import { readManifest } from '${WORKER}read-manifest.js';
import { createPassTimes } from '${WORKER}../pass-times.js';
const count = isolateThread();
await loadEngine(workerData.program);
parentPort.on('message', async ({ task }) => {
  try { ${onTask} } catch {}
  const load = { memoryBytes: 0, networkAttempts: count(), isPoisoned: false };
  parentPort.postMessage({ kind: 'done', answer: { kind: 'none' }, load });
});
parentPort.postMessage({ kind: 'ready' });`;
  writeFileSync(file, source);
  return file;
}

describe('a file that names a manifest elsewhere', () => {
  it('is reported with the address of the manifest, and nothing is fetched', async () => {
    await withEngine(undefined, async (engine) => {
      const outcome = await engine.read({ path: writeRemote(), mediaType: 'image/jpeg' });
      expect(outcome).toEqual({ kind: 'remote', url });
      expect([engine.networkAttempts, requests]).toEqual([0, 0]);
    });
  });

  it('is signed, also as an ingredient, and nothing is fetched', async () => {
    await withEngine(undefined, async (engine) => {
      const source = writeRemote();
      const json = { title: 'a source', relationship: 'componentOf' };
      const outputPath = path.join(folder, 'signed.jpg');
      const { store } = await signAndRead(engine, {
        path: source,
        outputPath,
        mediaType: 'image/jpeg',
        definition: define(),
        ingredients: [{ json, path: source, mediaType: 'image/jpeg' }],
        signer: makeSigner(),
      });
      expect(store.validation_state).toBe('Valid');
      expect(readFileSync(outputPath).length).toBeGreaterThan(jpeg.length);
      expect([engine.networkAttempts, requests]).toEqual([0, 0]);
    });
  });

  it('makes the engine itself try a request, which is blocked and counted', async () => {
    const program = writeProgram(
      `await readManifest({ bytes: readFileSync(task.path), mediaType: task.mediaType, settings: '{}' },
        { pass: 'read', times: createPassTimes() });`,
    );
    await withEngine(program, async (engine) => {
      await engine.read({ path: writeRemote(), mediaType: 'image/jpeg' });
      expect(engine.networkAttempts).toBeGreaterThan(0);
      expect(requests).toBe(0);
    });
  });
});

describe('code in a thread', () => {
  it.each([
    ['fetch', 'await fetch(task.path)'],
    ['XMLHttpRequest', 'new XMLHttpRequest()'],
    ['WebSocket', 'new WebSocket(task.path)'],
    ['EventSource', 'new EventSource(task.path)'],
    [
      'a fetch that the code replaced',
      'try { globalThis.fetch = () => {}; } catch {} await fetch(task.path)',
    ],
  ])('cannot connect by %s, and the attempt is counted', async (_, attempt) => {
    await withEngine(writeProgram(attempt), async (engine) => {
      for (let round = 0; round < 2; round += 1) await engine.read({ path: url, mediaType: 'image/jpeg' });
      expect([engine.networkAttempts, requests]).toEqual([2, 0]);
    });
  });

  it('does not see a variable of the process environment', async () => {
    vi.stubEnv('COLOPHON_PLANTED', 'secret');
    onTestFinished(() => void vi.unstubAllEnvs());
    const program = writeProgram(`if (process.env.COLOPHON_PLANTED !== undefined) await fetch(task.path);`);
    await withEngine(program, async (engine) => {
      await engine.read({ path: url, mediaType: 'image/jpeg' });
      expect(engine.networkAttempts).toBe(0);
    });
  });
});
