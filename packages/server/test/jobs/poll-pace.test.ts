import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createPollInterval } from '../../src/platform/jobs/poll-interval.js';

const NEVER = new AbortController().signal;
const LONG_MS = 600_000;

/** Lets all due callbacks run first. */
async function hasEnded(pause: Promise<void>): Promise<boolean> {
  return Promise.race([
    pause.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ]);
}

it('a loop polls less often after a time without notifications, and the next notification ends its pause', async () => {
  const pace = createPollInterval(0);
  await sleep(1);
  const pauses = [pace.pause(LONG_MS, NEVER), pace.pause(LONG_MS, NEVER)];
  expect(await Promise.all(pauses.map(hasEnded))).toEqual([false, false]);
  pace.note();
  await Promise.all(pauses);
});

it('regular notifications do not shorten a pause: each loop keeps its usual interval', async () => {
  const pace = createPollInterval(LONG_MS);
  const stop = new AbortController();
  const pause = pace.pause(LONG_MS, stop.signal);
  pace.note();
  expect(await hasEnded(pause)).toBe(false);
  stop.abort();
  await pause;
});

/** Node holds a reference to each dependent signal as long as `signal` lives. */
function countDependants(signal: AbortSignal): number {
  const key = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  const dependants = key && (signal as unknown as Record<symbol, Set<unknown> | undefined>)[key];
  return dependants?.size ?? 0;
}

it('a pause leaves no listener on a signal that outlives the pause', async () => {
  const stop = new AbortController();
  AbortSignal.any([stop.signal]);
  expect(countDependants(stop.signal)).toBe(1);
  for (const quietAfterMs of [0, LONG_MS]) {
    const pace = createPollInterval(quietAfterMs);
    await sleep(1);
    await pace.pause(0, new AbortController().signal, stop.signal);
  }
  expect(countDependants(stop.signal)).toBe(1);
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});
