import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeIsccSequence } from '@colophon/model';
import { afterAll, expect, it } from 'vitest';
import { bindIscc } from '../../src/records/matching/bind-iscc.js';
import type { MatchingDeps } from '../../src/records/matching/deps.js';
import { createSearchPool } from '../../src/search/search-pool.js';
import { openScheduler } from '../support/scheduler.js';
import { clip, FFMPEG, makeVideo } from '../support/videos.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-bind-'));
const pool = createSearchPool({ timeoutMs: 30_000, maxPictureBytes: 2 ** 28 });
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

it.each([
  ['a text', 'text/plain', 2 ** 20, true],
  ['a text of more than 1 MiB', 'text/plain', 2 ** 20 + 1, false],
  ['JSON', 'application/json', 4096, false],
])('%s (%s, %i bytes) gets an ISCC binding: %s', async (_name, mediaType, sizeBytes, isBound) => {
  const file = path.join(folder, 'content');
  writeFileSync(file, Buffer.alloc(sizeBytes, 'one two three '));
  let runs = 0;
  const counted: MatchingDeps['pool'] = {
    ...pool,
    run(task, slot) {
      runs++;
      return pool.run(task, slot);
    },
  };
  const matching: Partial<MatchingDeps> = { pool: counted, kinds: new Set(['text']), storesIscc: true };
  const deps = { matching: matching as MatchingDeps, scheduler: openScheduler() };
  const content = { path: file, mediaType, sizeBytes, signal: undefined };
  const binding = await bindIscc(deps, 'project', content);
  expect([binding !== undefined, runs]).toEqual([isBound, isBound ? 1 : 0]);
});

it.skipIf(FFMPEG === undefined)(
  'a video gets a binding with its Video-Code, and a damaged video gets none',
  async () => {
    const video = makeVideo([...clip(1), '-t', '2']);
    const matching: Partial<MatchingDeps> = {
      pool,
      kinds: new Set(['video']),
      storesIscc: true,
      ffmpeg: FFMPEG,
    };
    const deps = { matching: matching as MatchingDeps, scheduler: openScheduler() };
    const bind = async (bytes: Uint8Array) => {
      const file = path.join(folder, 'video');
      writeFileSync(file, bytes);
      const content = { path: file, mediaType: 'video/mp4', sizeBytes: bytes.length, signal: undefined };
      return bindIscc(deps, 'project', content);
    };
    const units = decodeIsccSequence(Buffer.from((await bind(video))?.value ?? '', 'base64'));
    expect(units.map(({ mainType, medium }) => medium ?? mainType)).toEqual(['video', 'data', 'instance']);
    expect(await bind(video.subarray(0, video.length / 2))).toBeUndefined();
  },
);
