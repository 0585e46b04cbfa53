import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { createClaims } from '../../src/platform/jobs/claim-in-turn.js';
import { finishJob, type Job } from '../../src/platform/jobs/outbox.sql.js';
import {
  type JobHandler,
  NotBegunError,
  retryDelaySeconds,
  startJobs,
} from '../../src/platform/jobs/run-jobs.js';
import { sleepUntil } from '../../src/platform/sleep-until.js';
import { createRecorder } from '../../src/records/write/recorder.js';
import { openOn } from '../support/open-on.js';

const PROJECT = '00000000-0000-8000-8000-000000000001';
const OTHER_PROJECT = '00000000-0000-8000-8000-000000000002';
const THIRD_PROJECT = '00000000-0000-8000-8000-000000000003';

describe.each(['PGlite in memory', 'PostgreSQL'])('the outbox, on %s', (engine) => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await openOn(engine);
  });
  afterAll(() => databases.close());

  async function addJobs(count: number, projectId = PROJECT, kind = `kind-${uuidv7()}`): Promise<string> {
    const jobs = Array.from({ length: count }, (_, payload) => ({
      id: uuidv7(),
      kind,
      payload: { payload },
    }));
    await createRecorder(databases.provenance).record(projectId, { jobs });
    return kind;
  }

  async function stateOf(kind: string) {
    return databases.provenance.query<{ state: string; attempts: number; last_error: string }>(
      'select state, attempts, last_error from provenance.outbox where kind = $1',
      [kind],
    );
  }

  async function runUntil(kind: string, handler: JobHandler, enough: () => boolean | Promise<boolean>) {
    const failures: unknown[] = [];
    const runner = startJobs({
      db: databases.provenance,
      handlers: { [kind]: handler },
      reportFailure: (error) => failures.push(error),
      pollSeconds: 0.02,
      maxAttempts: 2,
      retrySeconds: () => 0.01,
    });
    while (!(await enough())) await new Promise((resolve) => setTimeout(resolve, 10));
    await runner.close();
    return failures;
  }

  it('claims at most the requested number, even with an unfavourable query plan', async () => {
    const kind = await addJobs(8);
    const claimed = await databases.provenance.transaction(async (tx) => {
      for (const way of ['hashjoin', 'mergejoin', 'material', 'indexscan', 'bitmapscan'])
        await tx.query(`set local enable_${way} = off`);
      // With these statistics, PostgreSQL plans for a nearly empty table: it reads the due jobs again for each row.
      await tx.query(
        "update pg_class set reltuples = 1, relpages = 1 where oid = 'provenance.outbox'::regclass",
      );
      return createClaims(tx, [kind])({ limit: 2, leaseSeconds: 10, exceptProjects: [] });
    });
    expect(claimed).toHaveLength(2);
  });

  it('runs every job and deletes it afterwards', async () => {
    const kind = await addJobs(20);
    const seen: unknown[] = [];
    await runUntil(
      kind,
      async ({ payload }) => void seen.push(payload),
      async () => (await stateOf(kind)).length === 0,
    );
    expect(seen).toHaveLength(20);
  });

  it('long jobs of one project do not delay the jobs of another project', async () => {
    const kind = await addJobs(6);
    const slow = new Set<string>();
    const done: string[] = [];
    const runner = startJobs({
      db: databases.provenance,
      handlers: {
        [kind]: async ({ id, projectId }, signal) => {
          if (projectId !== PROJECT) return void done.push(id);
          slow.add(id);
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
      },
      reportFailure: () => {},
      pollSeconds: 0.05,
      concurrency: 4,
      maxPerProject: 2,
    });
    await expect.poll(() => slow.size, { timeout: 10_000 }).toBe(2);
    await addJobs(6, OTHER_PROJECT, kind);
    await expect.poll(() => done.length, { timeout: 10_000 }).toBe(6);
    expect(slow.size).toBe(2);
    await runner.close();
  });

  it('a resting project starts no job until its rest ends, and the jobs of another project run', async () => {
    const kind = await addJobs(2);
    await addJobs(2, OTHER_PROJECT, kind);
    const resting = new Map([[PROJECT, 20]]);
    let lists = 0;
    const list = () => {
      lists++;
      return resting;
    };
    const done: string[] = [];
    const runner = startJobs({
      db: databases.provenance,
      handlers: { [kind]: async ({ projectId }) => void done.push(projectId) },
      reportFailure: () => {},
      // This is longer than the test, so only the end of the rest can start the jobs of the resting project.
      pollSeconds: 600,
      rests: { list },
    });
    await expect.poll(() => done, { timeout: 10_000 }).toEqual([OTHER_PROJECT, OTHER_PROJECT]);
    const seen = lists;
    await expect.poll(() => lists, { timeout: 10_000 }).toBeGreaterThan(seen + 5);
    expect(done).toHaveLength(2);
    resting.clear();
    await expect.poll(() => done.length, { timeout: 10_000 }).toBe(4);
    await runner.close();
  });

  it('waits at least 10 ms before it searches for jobs again, even if the rest of a project is shorter', async () => {
    const pauses: number[] = [];
    const runner = startJobs({
      db: databases.provenance,
      handlers: { [`kind-${uuidv7()}`]: async () => {} },
      reportFailure: () => {},
      rests: { list: () => new Map([PROJECT, OTHER_PROJECT].map((id, place) => [id, 0.5 + place])) },
      pace: {
        note: () => {},
        pause: (ms, ...signals) => {
          pauses.push(ms);
          return sleepUntil(ms, ...signals);
        },
      },
    });
    await expect.poll(() => pauses.length, { timeout: 10_000 }).toBeGreaterThan(2);
    await runner.close();
    expect(new Set(pauses)).toEqual(new Set([10]));
  });

  it('a project with one slow job gets no second slot while half of the slots are used', async () => {
    const kind = await addJobs(3);
    await addJobs(3, OTHER_PROJECT, kind);
    const slow: string[] = [];
    const done: string[] = [];
    const runner = startJobs({
      db: databases.provenance,
      handlers: {
        [kind]: async ({ projectId }, signal) => {
          if (projectId === THIRD_PROJECT) return void done.push(projectId);
          slow.push(projectId);
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
      },
      reportFailure: () => {},
      pollSeconds: 0.05,
      concurrency: 4,
      maxPerProject: 2,
      maxPerProjectWhenBusy: 1,
    });
    await expect.poll(() => slow.length, { timeout: 10_000 }).toBe(2);
    await addJobs(6, THIRD_PROJECT, kind);
    await expect.poll(() => done.length, { timeout: 10_000 }).toBe(6);
    expect(slow).toHaveLength(2);
    await runner.close();
  });

  it('a stop returns the running jobs, which are due immediately, and reports no failure', async () => {
    const kind = await addJobs(1);
    const begun: string[] = [];
    const handler: JobHandler = ({ id }, signal) => {
      begun.push(id);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    expect(await runUntil(kind, handler, () => begun.length > 0)).toEqual([]);
    expect(await stateOf(kind)).toEqual([{ state: 'pending', attempts: 0, last_error: null }]);
    const claim = createClaims(databases.provenance, [kind]);
    expect(await claim({ limit: 1, leaseSeconds: 10, exceptProjects: [] })).toHaveLength(1);
  });

  it('projects take turns, whatever the number and age of their jobs', async () => {
    const kind = await addJobs(5);
    await addJobs(2, OTHER_PROJECT, kind);
    const claim = createClaims(databases.provenance, [kind]);
    const claimed: (string | undefined)[] = [];
    for (let turn = 0; turn < 8; turn++) {
      const [job] = await claim({ limit: 1, leaseSeconds: 10, exceptProjects: [] });
      claimed.push(job?.projectId);
    }
    const both = [PROJECT, OTHER_PROJECT];
    expect(claimed).toEqual([...both, ...both, PROJECT, PROJECT, PROJECT, undefined]);
  });

  it('a claim of four jobs includes the only job of a project, although another project has 1,000', async () => {
    const kind = `kind-${uuidv7()}`;
    await databases.provenance.query(
      `insert into provenance.outbox (project_id, id, kind, payload, due_at)
       select $2, gen_random_uuid(), $1, '{}', now() - interval '1 hour' + n * interval '1 second'
       from generate_series(1, 1000) n`,
      [kind, PROJECT],
    );
    const claim = createClaims(databases.provenance, [kind]);
    const claimFour = async () => {
      const jobs = await claim({ limit: 4, leaseSeconds: 100, exceptProjects: [] });
      return jobs.map(({ projectId }) => projectId);
    };
    expect(await claimFour()).toEqual([PROJECT, PROJECT, PROJECT, PROJECT]);
    await addJobs(1, OTHER_PROJECT, kind);
    expect(await claimFour()).toContain(OTHER_PROJECT);
    expect(await claimFour()).toHaveLength(4);
  });

  it('finds the only due job among 250 projects, wherever its project is in their order', async () => {
    const kind = `kind-${uuidv7()}`;
    const projectAt = (place: number) => `00000000-0000-8000-9000-${String(place).padStart(12, '0')}`;
    await databases.provenance.query(
      `insert into provenance.outbox (project_id, id, kind, payload, due_at)
       select ('00000000-0000-8000-9000-' || lpad(n::text, 12, '0'))::uuid, gen_random_uuid(), $1, '{}',
         now() + interval '1 hour'
       from generate_series(1, 250) n`,
      [kind],
    );
    const claim = createClaims(databases.provenance, [kind]);
    for (const place of [250, 249, 120, 1]) {
      await databases.provenance.query(
        'update provenance.outbox set due_at = now() where kind = $1 and project_id = $2',
        [kind, projectAt(place)],
      );
      const jobs = await claim({ limit: 1, leaseSeconds: 100, exceptProjects: [] });
      expect(jobs.map(({ projectId }) => projectId)).toEqual([projectAt(place)]);
    }
    expect(await claim({ limit: 1, leaseSeconds: 100, exceptProjects: [] })).toEqual([]);
  });

  it('claims a job of a free lane before many earlier jobs of a busy lane', async () => {
    const kind = `kind-${uuidv7()}`;
    await databases.provenance.query(
      `insert into provenance.outbox (project_id, id, kind, payload, due_at)
       select $2, gen_random_uuid(), $1, jsonb_build_object('lane', case when n < 500 then 'slow' else 'quick' end),
         now() - interval '1 hour' + n * interval '1 second'
       from generate_series(1, 510) n`,
      [kind, PROJECT],
    );
    const claim = createClaims(databases.provenance, [kind]);
    const lanes = { member: 'lane', busy: ['slow'], depth: 1_000 };
    const [job] = await claim({ limit: 1, leaseSeconds: 100, exceptProjects: [], lanes });
    expect(job?.payload).toEqual({ lane: 'quick' });
  });

  it('jobs of one lane run one after the other, concurrently with other lanes', async () => {
    const kind = `kind-${uuidv7()}`;
    const jobs = ['slow', 'slow', 'quick'].map((lane) => ({ id: uuidv7(), kind, payload: { lane } }));
    await createRecorder(databases.provenance).record(PROJECT, { jobs });
    const begun: string[] = [];
    const runner = startJobs({
      db: databases.provenance,
      handlers: {
        [kind]: async ({ payload }, signal) => {
          const { lane } = payload as { lane: string };
          begun.push(lane);
          if (lane === 'slow') await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
      },
      reportFailure: () => {},
      pollSeconds: 0.05,
      lanes: { member: 'lane', depth: 1_000 },
    });
    await expect.poll(async () => (await stateOf(kind)).length, { timeout: 10_000 }).toBe(2);
    expect(begun.toSorted()).toEqual(['quick', 'slow']);
    await runner.close();
  });

  it('gives each job to one of two runners', async () => {
    const kind = await addJobs(30);
    const seen: string[] = [];
    const handler: JobHandler = async ({ id }) => void seen.push(id);
    const empty = async () => (await stateOf(kind)).length === 0;
    await Promise.all([runUntil(kind, handler, empty), runUntil(kind, handler, empty)]);
    expect(seen).toHaveLength(30);
    expect(new Set(seen).size).toBe(30);
  });

  it('retries a failed job, and stores it as failed with its last error after the last attempt', async () => {
    const kind = await addJobs(1);
    const failures = await runUntil(
      kind,
      async ({ attempt }) => {
        throw new Error(`attempt ${attempt} failed`);
      },
      async () => (await stateOf(kind))[0]?.state === 'failed',
    );
    expect(await stateOf(kind)).toEqual([{ state: 'failed', attempts: 2, last_error: 'attempt 2 failed' }]);
    expect(failures).toHaveLength(2);
  });

  it('does not count a run that got no slot, however often this happens', async () => {
    const kind = await addJobs(1);
    const attempts: number[] = [];
    await runUntil(
      kind,
      async ({ attempt }) => {
        attempts.push(attempt);
        if (attempts.length < 4) throw new NotBegunError('the time limit');
        throw new Error('it ran');
      },
      async () => (await stateOf(kind))[0]?.state === 'failed',
    );
    expect(attempts).toEqual([1, 1, 1, 1, 2]);
    expect(await stateOf(kind)).toEqual([{ state: 'failed', attempts: 2, last_error: 'it ran' }]);
  });

  it('a job whose worker died is due again when its lease ends, and the late worker cannot finish it', async () => {
    const kind = await addJobs(1);
    const db = databases.provenance;
    const claim = createClaims(db, [kind]);
    const [lost] = (await claim({ limit: 1, leaseSeconds: 0.2, exceptProjects: [] })) as [Job];
    expect(await claim({ limit: 1, leaseSeconds: 1, exceptProjects: [] })).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 250));
    const [taken] = (await claim({ limit: 1, leaseSeconds: 10, exceptProjects: [] })) as [Job];
    expect(taken).toMatchObject({ id: lost.id, attempt: 2 });
    expect(await finishJob(db, lost)).toBe(false);
    expect(await finishJob(db, taken)).toBe(true);
  });

  it('a job that runs longer than a lease stays with its runner, and is aborted at its time limit', async () => {
    const kind = await addJobs(1);
    // A runner extends a lease three times within its duration.
    const leaseSeconds = 2;
    const runs: { attempt: number; aborted: boolean }[] = [];
    const handler: JobHandler = async ({ attempt }, signal) => {
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
        setTimeout(resolve, leaseSeconds * 1200);
      });
      runs.push({ attempt, aborted: signal.aborted });
    };
    const run = (maxRunSeconds: number) =>
      startJobs({
        db: databases.provenance,
        handlers: { [kind]: handler },
        reportFailure: () => {},
        pollSeconds: 0.05,
        leaseSeconds,
        maxRunSeconds,
      });
    const empty = () => stateOf(kind);
    const both = [run(60), run(60)];
    await expect.poll(empty, { timeout: 10_000 }).toEqual([]);
    await Promise.all(both.map((one) => one.close()));
    expect(runs).toEqual([{ attempt: 1, aborted: false }]);
    await createRecorder(databases.provenance).record(PROJECT, {
      jobs: [{ id: uuidv7(), kind, payload: {} }],
    });
    const hurried = run(0.1);
    await expect.poll(() => runs.length, { timeout: 10_000 }).toBe(2);
    await hurried.close();
    expect(runs[1]).toEqual({ attempt: 1, aborted: true });
  });

  it('writes no job for a rejected recording', async () => {
    const kind = `kind-${uuidv7()}`;
    const outcome = await createRecorder(databases.provenance).record(PROJECT, {
      action: {
        id: uuidv7(),
        body: { performedBy: 'nobody', inputCids: [], outputCids: [], type: 'create' },
        digest: '00',
        salts: {},
        resourceType: 'other',
        fingerprint: '00',
        idIsGiven: false,
      },
      jobs: [{ id: uuidv7(), kind, payload: {} }],
    });
    expect(outcome.outcome).toBe('unknownEntity');
    expect(await stateOf(kind)).toEqual([]);
  });
});

it('a failed job waits one second, then twice as long after each attempt, but at most ten minutes', () => {
  expect([1, 2, 3, 10, 11, 50].map(retryDelaySeconds)).toEqual([1, 2, 4, 512, 600, 600]);
});
