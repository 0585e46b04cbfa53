import { validate, version } from 'uuid';
import { describe, expect, it } from 'vitest';
import { createUuidv7 } from '../src/platform/uuid-v7.js';

const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

describe('uuidv7', () => {
  it('creates valid UUIDs of version 7 that contain the time of the clock', () => {
    const next = createUuidv7(() => 1_795_000_000_123);
    const ids = Array.from({ length: 100 }, next);
    expect(ids.filter((id) => !validate(id) || version(id) !== 7)).toEqual([]);
    expect(new Set(ids.map(timeOf))).toEqual(new Set([1_795_000_000_123]));
  });

  it('creates ascending UUIDs, even if the clock stops or goes back', () => {
    const times = [5, 5, 3, 6, 6, 2, ...Array<number>(10_000).fill(6), 7, 8, 9_000];
    const next = createUuidv7(() => 1_795_000_000_000 + (times.shift() ?? 0));
    const ids = Array.from({ length: times.length }, next);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
    expect(timeOf(ids.at(-1) ?? '')).toBe(1_795_000_009_000);
  });

  it('never repeats the random bits', () => {
    const ids = Array.from({ length: 1_000 }, createUuidv7());
    expect(new Set(ids.map((id) => id.slice(19))).size).toBe(ids.length);
  });
});
