import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createTally } from '../../src/management/usage-tally.js';
import { callOf } from '../support/usage-call.js';

const CALLS = 100_000;

describe('a tally', () => {
  it('limits the number of its counters for any number of keys, and still counts every call', () => {
    const tally = createTally();
    for (let n = 0; n < CALLS; n++) tally.count(callOf('p', { keyId: `k${n}`, bytesStored: 3 }));
    expect(tally.entries).toBe(20_001 + 100);
    const parts = tally.take();
    for (const { counts } of parts) expect(counts.length).toBeLessThanOrEqual(5_000);
    const counts = parts.flatMap((part) => part.counts);
    expect(counts.reduce((sum, { calls }) => sum + calls, 0)).toBe(CALLS);
    expect(counts.reduce((sum, { bytesStored }) => sum + bytesStored, 0)).toBe(3 * CALLS);
    expect(counts.filter(({ keyId }) => keyId === 'other').map(({ calls }) => calls)).toEqual([80_000]);
  });

  it('keeps the newest 100 log lines of a project', () => {
    const tally = createTally();
    for (let n = 0; n < CALLS; n++) tally.count(callOf('p', { endpoint: `GET /${n}` }));
    tally.count(callOf('q'));
    const lines = tally.take().flatMap((part) => part.lines);
    expect(lines.filter(({ projectId }) => projectId === 'q')).toHaveLength(1);
    const own = lines.filter(({ projectId }) => projectId === 'p').map(({ endpoint }) => endpoint);
    expect(own).toEqual(Array.from({ length: 100 }, (_, n) => `GET /${CALLS - 100 + n}`));
  });

  it('keeps at most 5,000 log lines of all projects, and accepts new lines after it was taken', () => {
    const tally = createTally();
    const projects = Array.from({ length: 1_000 }, () => randomUUID());
    for (let n = 0; n < CALLS; n++) tally.count(callOf(projects[n % 1_000] ?? '', { endpoint: `GET /${n}` }));
    const lines = tally.take().flatMap((part) => part.lines);
    expect(lines).toHaveLength(5_000);
    const newest = callOf(randomUUID());
    tally.count(newest);
    expect(tally.take()[0]?.lines).toMatchObject([{ projectId: newest.projectId }]);
  });

  it('gives log lines ids that sort in call order, also within one millisecond', () => {
    const tally = createTally();
    const at = new Date();
    const ids: string[] = [];
    for (let batch = 0; batch < 20; batch++) {
      for (let n = 0; n < 100; n++) tally.count(callOf('p', { at }));
      ids.push(...tally.take().flatMap(({ lines }) => lines.map(({ id }) => id)));
    }
    expect(new Set(ids).size).toBe(2_000);
    expect(ids).toEqual(ids.toSorted());
  });

  it('adds work to a call without counting the call again, and is empty after it was taken', () => {
    const tally = createTally();
    tally.count(callOf('p'));
    tally.addWork(callOf('p', { bytesStored: 7, actionsRecorded: 1 }));
    expect(tally.calls()).toBe(1);
    const [part] = tally.take();
    expect(part?.counts).toMatchObject([{ calls: 1, bytesStored: 7, actionsRecorded: 1 }]);
    expect(part?.lines).toHaveLength(1);
    expect([tally.entries, tally.calls(), tally.take()]).toEqual([0, 0, []]);
  });
});
