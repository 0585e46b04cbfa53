import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createOpenUnits } from '../../src/access/open-units.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('hasOthers is true while another project has open work, and for the given time after its end', () => {
  const units = createOpenUnits(10);
  const use = (projectId: string) => units.begin(projectId)?.end();
  use('mine');
  expect(units.hasOthers('mine', 100)).toBe(false);
  const open = units.begin('other');
  expect(units.hasOthers('mine')).toBe(true);
  expect(units.hasOthers('other')).toBe(false);
  open?.end();
  expect(units.hasOthers('mine')).toBe(false);
  vi.advanceTimersByTime(60);
  // Units of `mine` that end later do not hide those of `other`.
  use('mine');
  use('mine');
  expect([units.hasOthers('mine', 100), units.hasOthers('other', 100)]).toEqual([true, true]);
  vi.advanceTimersByTime(60);
  expect([units.hasOthers('mine', 100), units.hasOthers('other', 100)]).toEqual([false, true]);
});
