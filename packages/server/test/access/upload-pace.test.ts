import { expect, it } from 'vitest';
import { CHUNK_BYTES, createUploadPace, type PacedUpload } from '../../src/access/upload-pace.js';

const MEBIBYTE = 2 ** 20;
const BURST_CHUNKS = (8 * MEBIBYTE) / CHUNK_BYTES;
/** One chunk takes 100 ms. */
const BYTES_PER_SECOND = 10 * CHUNK_BYTES;

/** `pass` moves the clock, and calls each function at its time. */
function createClock() {
  let nowMs = 0;
  let due: { atMs: number; run: () => void }[] = [];
  return {
    now: () => nowMs,
    after: (delayMs: number, run: () => void) => void due.push({ atMs: nowMs + delayMs, run }),
    pass(ms: number) {
      const endMs = nowMs + ms;
      for (;;) {
        const [next] = due.filter(({ atMs }) => atMs <= endMs).sort((one, other) => one.atMs - other.atMs);
        if (next === undefined) break;
        due = due.filter((timer) => timer !== next);
        nowMs = next.atMs;
        next.run();
      }
      nowMs = endMs;
    },
  };
}

/** Notes the name of the upload for each chunk. */
function readAll(upload: PacedUpload, { name, reads, chunkBytes = CHUNK_BYTES }: Reading): void {
  const readNext = () =>
    upload.beforeRead(() => {
      reads.push(name);
      queueMicrotask(() => {
        upload.received(chunkBytes);
        readNext();
      });
    });
  readNext();
}

interface Reading {
  name: string;
  reads: string[];
  chunkBytes?: number;
}

async function settle(): Promise<void> {
  for (let at = 0; at < 4 * BURST_CHUNKS; at++) await Promise.resolve();
}

it('reads a burst at once, and then as many bytes per second as the limit', async () => {
  const clock = createClock();
  const reads: string[] = [];
  readAll(createUploadPace(BYTES_PER_SECOND, clock).begin('one'), { name: 'a', reads });
  await settle();
  expect(reads.length).toBe(BURST_CHUNKS);
  for (let at = 1; at <= 20; at++) {
    clock.pass(100);
    await settle();
  }
  expect(reads.length).toBeGreaterThanOrEqual(BURST_CHUNKS + 19);
  expect(reads.length).toBeLessThanOrEqual(BURST_CHUNKS + 21);
});

it('lets the uploads of a project take turns, and gives another project a burst of its own', async () => {
  const clock = createClock();
  const pace = createUploadPace(BYTES_PER_SECOND, clock);
  const reads: string[] = [];
  const open = ['a', 'b', 'c'].map((name) => ({ name, upload: pace.begin('one') }));
  for (const { name, upload } of open) readAll(upload, { name, reads });
  await settle();
  expect(reads.length).toBe(BURST_CHUNKS);
  reads.length = 0;
  for (let at = 0; at < 12; at++) {
    clock.pass(100);
    await settle();
  }
  const counts = open.map(({ name }) => reads.filter((read) => read === name).length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  const others: string[] = [];
  readAll(pace.begin('other'), { name: 'd', reads: others });
  await settle();
  expect(others.length).toBe(BURST_CHUNKS);
});

it('counts the bytes of small chunks, not their number', async () => {
  const reads: string[] = [];
  const upload = createUploadPace(BYTES_PER_SECOND, createClock()).begin('one');
  readAll(upload, { name: 'a', reads, chunkBytes: CHUNK_BYTES / 2 });
  await settle();
  expect(reads.length).toBeGreaterThanOrEqual(2 * BURST_CHUNKS - 1);
});

it('measures the wait of an upload; an upload that ends leaves the next turn to the other upload', async () => {
  const clock = createClock();
  const pace = createUploadPace(BYTES_PER_SECOND, clock);
  const [first, second] = [pace.begin('one'), pace.begin('one')];
  const reads: string[] = [];
  readAll(first, { name: 'a', reads });
  await settle();
  // One more chunk leaves a debt of 100 ms.
  clock.pass(1);
  await settle();
  expect(first.isWaiting()).toBe(true);
  let wasRead = false;
  second.beforeRead(() => {
    wasRead = true;
  });
  clock.pass(50);
  expect([first.waitedMs(), second.waitedMs(), wasRead]).toEqual([51, 50, false]);
  second.end();
  expect([second.isWaiting(), wasRead]).toEqual([false, true]);
  const before = reads.length;
  clock.pass(100);
  await settle();
  expect(reads.length).toBe(before + 1);
});
