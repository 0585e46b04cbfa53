import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createPollPace } from '../../src/jobs/poll-pace.js';

const NEVER = new AbortController().signal;
/** No test waits for it. */
const LONG_MS = 600_000;

/** Whether a pause has ended when all that was due at once has been done. */
async function hasEnded(pause: Promise<void>): Promise<boolean> {
  return Promise.race([
    pause.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ]);
}

it('a loop asks less often when nothing was noted for a while, and at once when something is', async () => {
  const pace = createPollPace(0);
  await sleep(1);
  const pauses = [pace.pause(LONG_MS, NEVER), pace.pause(LONG_MS, NEVER)];
  expect(await Promise.all(pauses.map(hasEnded))).toEqual([false, false]);
  pace.note();
  await Promise.all(pauses);
});

it('while something is noted now and then, a note ends no pause: each loop keeps its usual pace', async () => {
  const pace = createPollPace(LONG_MS);
  const stop = new AbortController();
  const pause = pace.pause(LONG_MS, stop.signal);
  pace.note();
  expect(await hasEnded(pause)).toBe(false);
  stop.abort();
  await pause;
});
