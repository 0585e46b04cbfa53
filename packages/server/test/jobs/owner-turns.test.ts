import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Databases } from '../../src/platform/db/open-databases.js';
import {
  createClaimForOwners,
  type Owners,
  type Run,
  type Slots,
} from '../../src/platform/jobs/claim-for-owners.js';
import type { Job } from '../../src/platform/jobs/outbox.sql.js';
import { startJobs } from '../../src/platform/jobs/run-jobs.js';
import { createRecorder } from '../../src/records/write/recorder.js';
import { openOn } from '../support/open-on.js';

/** Projects take turns in the order of their ids, so the projects of owner `1` come first. */
const projectOf = (owner: string, place: number) =>
  `00000000-0000-8000-9000-${owner.padEnd(11, '0')}${place}`;
const ownerOf = (projectId: string) => projectId.slice(24, 25);
const MANY = [1, 2, 3, 4, 5, 6];
const OWNERS: Omit<Owners, 'interruptAfterMs'> = {
  listProjects: async (ids) =>
    new Map(
      [...new Set(ids.map(ownerOf))].flatMap((owner) =>
        MANY.map((place) => [projectOf(owner, place), owner]),
      ),
    ),
  readOwner: async (id) => ownerOf(id),
};

describe('owners of projects take turns at the slots of a runner', () => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await openOn('PGlite in memory');
  });
  afterAll(() => databases.close());

  async function addJobs(kind: string, owner: string, places: number[]): Promise<void> {
    const recorder = createRecorder(databases.provenance);
    for (const place of places)
      await recorder.record(projectOf(owner, place), { jobs: [{ id: uuidv7(), kind, payload: {} }] });
  }

  /** The runner has four slots. Its runs last until `end` is called with their owner, or until they abort. */
  function start(kind: string, interruptAfterMs: number, owners: Partial<Owners> = {}) {
    const begun: string[] = [];
    const runs: { owner: string; end(): void }[] = [];
    const runner = startJobs({
      db: databases.provenance,
      handlers: {
        [kind]: ({ projectId }, signal) =>
          new Promise((resolve, reject) => {
            const owner = ownerOf(projectId);
            const run = { owner, end: () => leave(resolve) };
            const leave = (settle: () => void) => {
              runs.splice(runs.indexOf(run), 1);
              settle();
            };
            signal.addEventListener('abort', () => leave(() => reject(signal.reason)));
            runs.push(run);
            begun.push(owner);
          }),
      },
      reportFailure: () => {},
      pollSeconds: 0.02,
      concurrency: 4,
      maxPerProject: 1,
      owners: { ...OWNERS, ...owners, interruptAfterMs },
    });
    const running = () => runs.map(({ owner }) => owner).toSorted();
    const end = (owner: string) => runs.find((run) => run.owner === owner)?.end();
    return { begun, running, end, close: runner.close };
  }

  it('one owner has at most half of the slots, however many projects it has', async () => {
    const kind = `kind-${uuidv7()}`;
    await addJobs(kind, '1', MANY);
    const { begun, running, end, close } = start(kind, 60_000);
    await expect.poll(running).toEqual(['1', '1']);
    await addJobs(kind, '2', MANY);
    await expect.poll(running).toEqual(['1', '1', '2', '2']);
    expect(begun.filter((owner) => owner === '1')).toHaveLength(2);
    end('2');
    await expect.poll(() => begun).toEqual(['1', '1', '2', '2', '2']);
    await close();
  });

  it('one owner has at most half of the slots, also if `listProjects` omits most of its projects', async () => {
    const kind = `kind-${uuidv7()}`;
    await addJobs(kind, '1', MANY);
    const listProjects: Owners['listProjects'] = async (ids) => new Map(ids.map((id) => [id, ownerOf(id)]));
    const { begun, running, close } = start(kind, 60_000, { listProjects });
    await expect.poll(running).toEqual(['1', '1']);
    await addJobs(kind, '2', [1]);
    await expect.poll(running).toEqual(['1', '1', '2']);
    const returned = () =>
      databases.provenance.query<{ count: number }>(
        `select count(*)::int as count from provenance.outbox
         where kind = $1 and state = 'pending' and attempts = 0 and claim is null and due_at > now()`,
        [kind],
      );
    await expect.poll(returned).toEqual([{ count: 4 }]);
    expect(begun).toEqual(['1', '1', '2']);
    await close();
  });

  it('an owner without a running job gets the next slot', async () => {
    const kind = `kind-${uuidv7()}`;
    await addJobs(kind, '2', MANY);
    const { begun, running, end, close } = start(kind, 60_000);
    await expect.poll(running).toEqual(['2', '2']);
    await addJobs(kind, '1', MANY);
    // If only the projects took turns, the third project of owner `1` would be next.
    await expect.poll(running).toEqual(['1', '1', '2', '2']);
    await addJobs(kind, '3', [1, 2]);
    end('1');
    await expect.poll(() => begun.length).toBe(5);
    expect(begun[4]).toBe('3');
    await close();
  });

  it('an old run is interrupted for an owner without a running job, and counts as no attempt', async () => {
    const kind = `kind-${uuidv7()}`;
    await addJobs(kind, '1', MANY);
    await addJobs(kind, '2', [1, 2]);
    const { running, close } = start(kind, 0);
    await expect.poll(running).toEqual(['1', '1', '2', '2']);
    await addJobs(kind, '3', [1, 2]);
    await expect.poll(() => running().includes('3')).toBe(true);
    await expect.poll(running).toHaveLength(4);
    const returned = () =>
      databases.provenance.query(
        `select state, attempts from provenance.outbox
         where kind = $1 and due_at > now() and claim is null`,
        [kind],
      );
    await expect.poll(returned).toEqual([{ state: 'pending', attempts: 0 }]);
    await close();
  });
});

const toJob = (owner: string, place: number): Job => ({
  projectId: projectOf(owner, place),
  id: `${owner}-${place}`,
  ...{ kind: 'pin', payload: {}, attempt: 1, claim: uuidv7() },
});

/** A run that starts later comes later in `running`. */
function begin(running: Map<Job, Run>, job: Job): void {
  running.set(job, { startedMs: 0, ended: Promise.resolve(), interruption: new AbortController() });
}

it('if `listProjects` omits a project, its job is given back once and not claimed again', async () => {
  const running = new Map<Job, Run>();
  for (const place of [1, 2]) begin(running, toJob('1', place));
  const claim = createClaimForOwners({
    listProjects: async (ids) => new Map(ids.map((id) => [id, ownerOf(id)])),
    readOwner: async (id) => ownerOf(id),
    interruptAfterMs: 60_000,
  });
  const pending = [3, 4, 5].map((place) => toJob('1', place));
  const givenBack: string[] = [];
  const next = async (except: readonly string[]) =>
    pending.filter(({ projectId }) => !except.includes(projectId)).slice(0, 1);
  const giveBack = async ({ id }: Job) => {
    givenBack.push(id);
  };
  const search = () =>
    claim({ running, free: () => 2, maxPerOwner: 2, claim: next, claimFirst: next, giveBack });
  expect([await search(), await search()]).toEqual([[], []]);
  expect(givenBack).toEqual(['1-3', '1-4', '1-5']);
});

describe('the run that must end for an owner without a running job', () => {
  /** Returns the jobs of the ended runs, and removes these runs. */
  function takeEnded(running: Map<Job, Run>): Job[] {
    const ended = [...running].flatMap(([job, run]) => (run.interruption.signal.aborted ? [job] : []));
    for (const job of ended) running.delete(job);
    return ended;
  }
  const open = (slots: Partial<Slots>) => {
    const running = new Map<Job, Run>();
    for (const place of [1, 2, 3]) begin(running, toJob('1', place));
    const claim = createClaimForOwners({ ...OWNERS, interruptAfterMs: 0 });
    const none = { claim: async () => [], claimFirst: async () => [], giveBack: async () => {} };
    return { running, claim: () => claim({ running, free: () => 0, maxPerOwner: 3, ...none, ...slots }) };
  };

  it('is the youngest run, and no job loses its run in this way twice', async () => {
    const waiting = ['2', '3', '4'].map((owner) => toJob(owner, 1));
    const { running, claim } = open({ claimFirst: async () => waiting.splice(0, 1) });
    expect(await claim()).toMatchObject([{ id: '2-1' }]);
    const [youngest] = takeEnded(running);
    expect(youngest).toMatchObject({ id: '1-3' });
    begin(running, toJob('1', 3));
    await claim();
    expect(takeEnded(running)).toMatchObject([{ id: '1-2' }]);
    begin(running, toJob('1', 2));
    await claim();
    expect(takeEnded(running)).toMatchObject([{ id: '1-1' }]);
    waiting.push(toJob('5', 1));
    begin(running, toJob('1', 1));
    expect(await claim()).toEqual([]);
    expect(takeEnded(running)).toEqual([]);
  });

  it('continues if a slot becomes free during the claim', async () => {
    let free = 0;
    const { running, claim } = open({
      free: () => free,
      claimFirst: async () => {
        free = 1;
        return [toJob('2', 1)];
      },
    });
    expect(await claim()).toMatchObject([{ id: '2-1' }]);
    expect(takeEnded(running)).toEqual([]);
  });
});
