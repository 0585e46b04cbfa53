import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { namedProjectId } from '../src/access/create-key.js';
import { createOpenUnits } from '../src/access/open-units.js';
import { createProjectOwners } from '../src/access/project-owners.js';
import { readProjectOwner } from '../src/control/project-owners.sql.js';
import type { Scheduler, SchedulerOptions, Turn, WorkKind } from '../src/platform/work/scheduler.js';
import { toReaders } from '../src/platform/work/task-queue.js';
import { signUpFirst } from './support/page-user.js';
import { openScheduler } from './support/scheduler.js';
import { startService } from './support/service.js';

/** `a` owns the project `a1`. */
const ownerOf = (projectId: string) => projectId.slice(0, 1);

const settle = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

function openTasks(
  places: Partial<Record<WorkKind, number>>,
  options: Partial<Omit<SchedulerOptions, 'places'>> = {},
) {
  return openTasksOf(openScheduler(places, { ownerOf, ...options }));
}

/** The tasks end on request. `begun`: the order in which they began. */
function openTasksOf(scheduler: Scheduler) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    add(projectId: string, turn: Partial<Turn> = {}) {
      void scheduler.run({ projectId, kind: 'media', ...turn }, () => {
        begun.push(projectId);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    },
    /** Ends the first task, and waits for the consequences. */
    async endFirst() {
      ends.shift()?.();
      await settle();
    },
  };
}

describe('the projects of one owner', () => {
  it('together get every second turn beside one other owner, and take turns among themselves', async () => {
    const tasks = openTasks({ media: 1 });
    for (const projectId of ['c1', 'a1', 'a1', 'a2', 'a3', 'b1', 'b1', 'b1']) tasks.add(projectId);
    for (let ended = 0; ended < 8; ended++) await tasks.endFirst();
    expect(tasks.begun).toEqual(['c1', 'a1', 'b1', 'a2', 'b1', 'a3', 'b1', 'a1']);
  });

  it('may have all slots while no other owner has requests, but one project never has them', async () => {
    const tasks = openTasks({ media: 3 }, { hasOtherOwners: () => false });
    for (const projectId of ['a1', 'a1', 'a1', 'a2']) tasks.add(projectId);
    await settle();
    expect(tasks.begun).toEqual(['a1', 'a1', 'a2']);
  });

  it('leave slots for histories to public readers, also while no other owner has requests', async () => {
    const tasks = openTasks({ history: 4 }, { hasOtherOwners: () => false });
    for (const projectId of ['a1', 'a2', 'a3', 'a4']) tasks.add(projectId, { kind: 'history' });
    tasks.add(toReaders('b1'), { kind: 'history' });
    await settle();
    expect(tasks.begun).toEqual(['a1', 'a2', 'a3', toReaders('b1')]);
  });

  it('get a slot at the end of the wait if other owners have no requests any more', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let hasOthers = true;
    const tasks = openTasks({ media: 2 }, { maxWaitMs: 1_000, hasOtherOwners: () => hasOthers });
    for (const projectId of ['a1', 'a2']) tasks.add(projectId);
    await settle();
    expect(tasks.begun).toEqual(['a1']);
    hasOthers = false;
    vi.advanceTimersByTime(1_000);
    await settle();
    expect(tasks.begun).toEqual(['a1', 'a2']);
  });

  it('do not have all slots while other owners have requests', async () => {
    const tasks = openTasks({ media: 3 });
    for (const projectId of ['a1', 'a2', 'a3']) tasks.add(projectId);
    await settle();
    expect(tasks.begun).toEqual(['a1', 'a2']);
    tasks.add('b1');
    await settle();
    expect(tasks.begun).toEqual(['a1', 'a2', 'b1']);
  });

  it('share the slots for searches and descriptions while other owners have requests', async () => {
    let hasOthers = true;
    const options = { maxThreadsOfOwner: 1, hasOtherOwners: () => hasOthers };
    const tasks = openTasks({ search: 2, describe: 2 }, options);
    tasks.add('a1', { kind: 'search' });
    tasks.add('a2', { kind: 'describe' });
    await settle();
    expect(tasks.begun).toEqual(['a1']);
    tasks.add('b1', { kind: 'describe' });
    await settle();
    expect(tasks.begun).toEqual(['a1', 'b1']);
    await tasks.endFirst();
    expect(tasks.begun).toEqual(['a1', 'b1', 'a2']);
    hasOthers = false;
    tasks.add('a3', { kind: 'search' });
    await settle();
    expect(tasks.begun).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('all rest after a large batch of one of them', async () => {
    const scheduler = openScheduler({ bulk: 1 }, { ownerOf, isContended: () => true });
    const begun: string[] = [];
    const work = (projectId: string, ms: number) =>
      scheduler.run({ projectId, kind: 'bulk' }, async () => {
        begun.push(projectId);
        await sleep(ms);
      });
    await work('a1', 40);
    await Promise.all([work('a2', 1), work('b1', 1)]);
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  it('get further memory only while two thirds of the total are enough', async () => {
    const tasks = openTasks({ media: 4 }, { memoryBytes: 90 });
    tasks.add('a1', { memoryBytes: 40 });
    tasks.add('a2', { memoryBytes: 40 });
    tasks.add('b1', { memoryBytes: 40 });
    await settle();
    expect(tasks.begun).toEqual(['a1', 'b1']);
  });

  it('are no other owners with requests, but other projects', () => {
    const units = createOpenUnits(10, ownerOf);
    const open = units.begin('a1');
    expect([units.hasOtherOwners('a2'), units.hasOtherOwners('b1')]).toEqual([false, true]);
    expect([units.hasOthers('a1'), units.hasOthers('a2')]).toEqual([false, true]);
    open?.end();
    units.begin('b1')?.end();
    for (const projectId of ['a2', 'a1', 'a2']) units.begin(projectId)?.end();
    expect(units.hasOtherOwners('a1', 1_000)).toBe(true);
    expect(units.hasOtherOwners('a1')).toBe(false);
    expect(units.hasOtherOwners('b2', 1_000)).toBe(true);
  });

  it('count as one owner before a late background task', async () => {
    vi.useFakeTimers();
    const tasks = openTasks({ media: 1 }, { maxWaitMs: 1_000 });
    onTestFinished(() => void vi.useRealTimers());
    tasks.add('b1');
    tasks.add('b1', { isBackground: true });
    vi.advanceTimersByTime(600);
    for (const projectId of ['a1', 'a2', 'a3']) tasks.add(projectId);
    for (let ended = 0; ended < 4; ended++) await tasks.endFirst();
    // The late task comes after one task, and not after one for each of the three projects.
    expect(tasks.begun).toEqual(['b1', 'b1', 'a1', 'a2']);
  });

  it('do not reserve memory for one of them that other owners could use', async () => {
    const tasks = openTasks({ media: 4 }, { memoryBytes: 90 });
    tasks.add('a1', { memoryBytes: 30 });
    tasks.add('a2', { memoryBytes: 60 });
    tasks.add('b1', { memoryBytes: 10 });
    tasks.add('b1', { memoryBytes: 10 });
    await settle();
    expect(tasks.begun).toEqual(['a1', 'b1', 'b1']);
  });

  it('have the turns of one owner for their public readers', async () => {
    const tasks = openTasks({ history: 8 });
    for (const projectId of ['c1', 'a1', 'a2', 'b1'])
      for (let reader = 0; reader < 3; reader++) tasks.add(toReaders(projectId), { kind: 'history' });
    await settle();
    expect(tasks.begun.filter((id) => id.startsWith(toReaders('a')))).toHaveLength(2);
    expect(tasks.begun).toHaveLength(6);
  });
});

it('a request that begins before its owner is known does not count for another owner after its end', () => {
  const owners = createProjectOwners();
  const units = createOpenUnits(10, owners.ownerOf);
  const open = units.begin('a1');
  owners.note({ projectId: 'a1', owner: 'user ann' });
  open?.end();
  expect([units.hasOtherOwners('b1'), units.hasOtherOwners('a1')]).toEqual([false, false]);
});

it('a project without a known owner is its own owner, and a process forgets the oldest owners', () => {
  const owners = createProjectOwners();
  owners.note({ projectId: 'first', owner: 'user ann' });
  owners.note({ projectId: 'local', owner: null });
  expect([owners.ownerOf('first'), owners.ownerOf('local')]).toEqual(['user ann', 'local']);
  for (let other = 0; other < 10_000; other++)
    owners.note({ projectId: `project ${other}`, owner: 'user bo' });
  expect(owners.ownerOf('first')).toBe('first');
});

it('requests show the owner of a project: the user who created its organisation', async () => {
  const service = await startService('PGlite in a directory');
  const ann = await signUpFirst(service);
  const ask = async (path: string, body: object) => (await ann.ask(`/management${path}`, { body })).json();
  const createProject = async (orgSlug: string) => {
    await ask('/orgs', { name: orgSlug, slug: orgSlug });
    return (await ask('/projects', { orgSlug, name: 'Front page' })).id as string;
  };
  const [byKey, byMember] = [await createProject('desk'), await createProject('planet')];
  const tasks = openTasksOf(service.context.records.scheduler);
  const { key } = await ask('/api-keys', { projectId: byKey, name: 'key', permissions: 'write' });
  const headers = { authorization: `Bearer ${key}` };
  expect((await service.send('/v1/actions', { headers })).status).toBe(200);
  expect((await ann.ask(`/projects/${byMember}/v1/actions`)).status).toBe(200);
  // The embedded database has two slots for batches. This request of another owner limits Ann to one of them.
  expect((await service.send('/v1/actions')).status).toBe(200);
  for (const projectId of [byKey, byMember, namedProjectId('one')]) tasks.add(projectId, { kind: 'batch' });
  await settle();
  expect(tasks.begun).toEqual([byKey, namedProjectId('one')]);
  for (let ended = 0; ended < 3; ended++) await tasks.endFirst();
  const { control } = service.context.databases;
  expect(await readProjectOwner(control, byKey)).toBe('user local:ann');
  await control.query("update control.org set created_by = 'operator' where slug = 'desk'");
  expect(await readProjectOwner(control, byKey)).toMatch(/^org /);
  await service.stop();
});
