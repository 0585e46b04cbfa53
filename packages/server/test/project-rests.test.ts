import { expect, it } from 'vitest';
import { createProjectRests } from '../src/platform/work/project-rests.js';

/** The clock stands still until the test changes `now`. */
function open({ isContended = () => true }: { isContended?: (projectId: string) => boolean } = {}) {
  const clock = { now: 1_000 };
  const rests = createProjectRests({ isContended, nowMs: () => clock.now });
  return { clock, rests, list: () => Object.fromEntries(rests.list()) };
}

it('a project rests three times as long as its step took, so it works for at most a quarter of the time', () => {
  const { clock, rests, list } = open();
  rests.note('busy', 20);
  expect(list()).toEqual({ busy: 60 });
  clock.now += 45;
  expect(list()).toEqual({ busy: 15 });
  clock.now += 15;
  expect(list()).toEqual({});
});

it('the rests of parallel steps add up, to at most a second', () => {
  const { clock, rests, list } = open();
  for (let step = 0; step < 4; step++) rests.note('busy', 20);
  expect(list()).toEqual({ busy: 240 });
  clock.now += 40;
  rests.note('busy', 10);
  expect(list()).toEqual({ busy: 230 });
  rests.note('busy', 400);
  expect(list()).toEqual({ busy: 1_000 });
});

it('a project does not rest while no other project has requests', () => {
  const { rests, list } = open({ isContended: (projectId) => projectId === 'busy' });
  rests.note('alone', 500);
  rests.note('busy', 10);
  expect(list()).toEqual({ busy: 30 });
});
