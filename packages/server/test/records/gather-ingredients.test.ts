import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { embedInputSchema } from '@colophon/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { gatherIngredients } from '../../src/records/credentials/gather-ingredients.js';
import type { RecordDeps } from '../../src/records/deps.js';
import { SAID } from '../support/media-form.js';
import { openScheduler } from '../support/scheduler.js';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';

const PROJECT = namedProjectId('one');
const BYTES = Buffer.from('an ingredient');
const folder = mkdtempSync(path.join(tmpdir(), 'colophon-ingredients-'));
const copied = path.join(folder, 'ingredient-0');

let service: Service;
let cid: string;
beforeAll(async () => {
  service = await startService(ANY_ENGINE);
  cid = (await (await service.upload(BYTES)).json()).cid;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

async function gather(changes: Partial<RecordDeps>, signal?: AbortSignal) {
  const input = embedInputSchema.parse({ ...SAID, ingredients: [{ cid, relationship: 'inputTo' }] });
  const media = { besides: (name: string) => path.join(folder, name) };
  const records = { ...service.context.records, ...changes };
  const request = { input, media, parts: new Map(), maxBytes: 1_000, signal };
  return gatherIngredients(records, PROJECT, request);
}

it('recorded ingredients are copied in a turn of the project, unless the caller leaves before the turn', async () => {
  const scheduler = openScheduler({ media: 1 });
  const gone = new AbortController();
  const [first, second] = [await gather({ scheduler }, gone.signal), await gather({ scheduler })];
  let end = () => {};
  const busy = scheduler.run(
    { projectId: 'other', kind: 'media' },
    () =>
      new Promise<void>((done) => {
        end = done;
      }),
  );
  const left = first.copy();
  await expect.poll(() => scheduler.counts().media.waiting).toBe(1);
  expect(existsSync(copied)).toBe(false);
  gone.abort(new Error('the caller left'));
  await expect(left).rejects.toThrow('the caller left');
  end();
  await busy;
  expect(existsSync(copied)).toBe(false);
  await second.copy();
  expect(readFileSync(copied)).toEqual(BYTES);
  rmSync(copied);
});

it('the copy of an ingredient stops and its slot is free when the caller leaves', async () => {
  const scheduler = openScheduler({ media: 1 });
  const gone = new AbortController();
  let reads = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (; reads < 1_000; reads++) {
      yield Buffer.alloc(100_000);
      if (reads === 3) gone.abort(new Error('the caller left'));
    }
  }
  const blobs = { ...service.context.records.blobs, readContent: async () => endless() };
  const { copy } = await gather({ scheduler, blobs }, gone.signal);
  await expect(copy()).rejects.toThrow('the caller left');
  expect(reads).toBeLessThan(50);
  expect(scheduler.counts().media.running).toBe(0);
  rmSync(copied, { force: true });
});

it('an ingredient whose bytes cannot be read opens no file', async () => {
  const readContent = async () => {
    throw new Error('the bucket is away');
  };
  const { copy } = await gather({ blobs: { ...service.context.records.blobs, readContent } });
  await expect(copy()).rejects.toThrow('the bucket is away');
  expect(existsSync(copied)).toBe(false);
});
