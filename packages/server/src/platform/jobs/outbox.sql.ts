import { randomUUID } from 'node:crypto';
import type { Queryable } from '../db/database.js';
import { limitClause } from '../db/limit-clause.js';

/** Work outside the database that a transaction requested. */
export interface Job {
  projectId: string;
  id: string;
  kind: string;
  payload: unknown;
  /** Number of this run; the first is 1. */
  attempt: number;
  /** UUID of this run's lease. Jobs that were claimed together can share it, but never two runs of one job. */
  claim: string;
}

/**
 * Jobs with the same value of the payload member `member` are in one lane. A runner runs the jobs of one lane one after
 * the other.
 */
export interface Lanes {
  member: string;
  /** Values of this member in the running jobs of the runner. */
  busy: readonly string[];
  /** A claim looks for free lanes among this number of the earliest due jobs of each project and kind. */
  depth: number;
}

export interface ClaimOptions {
  limit: number;
  leaseSeconds: number;
  exceptProjects: readonly string[];
  lanes?: Lanes;
}

export interface ClaimedJobs {
  jobs: Job[];
  /** The last visited project, if the search found no job in `VISITS` projects. Later projects may have jobs. */
  reached: string | undefined;
}

/** Maximum number of projects that one claim visits. */
const VISITS = 100;
/** Jobs that a claim examines beyond the limit, because other runners may have locked the first ones. */
const SPARE = 16;

/**
 * Claims up to `limit` due jobs for `leaseSeconds`. Visits up to `VISITS` projects with jobs in the order of their ids,
 * after the project `after`. Reads only a few rows for each project, however many jobs wait.
 */
export async function claimJobs(
  db: Queryable,
  kinds: readonly string[],
  options: ClaimOptions & { after: string },
): Promise<ClaimedJobs> {
  if (db.isDistributed === true) return claimOfAllProjects(db, kinds, options);
  const { limit, leaseSeconds, exceptProjects, lanes, after } = options;
  const rows = await db.query<Job & { reached: string | null }>(
    // Without `materialized`, PostgreSQL could run `due` twice. The second run would skip the rows locked by the first.
    `with recursive visit as (
       select ${nextProject('$6::uuid')} as project_id, 1 as place
       union all
       select ${nextProject('v.project_id')}, v.place + 1 from visit v
       where v.project_id is not null and v.place < ${VISITS}),
     due as materialized (
       select j.project_id, j.id
       from visit v cross join lateral (${lockDue(limit, lanes?.depth ?? limit + SPARE)}) j
       where v.project_id <> all($3::uuid[]) ${limitClause(limit)}),
     claimed as (
       update provenance.outbox o
       set attempts = o.attempts + 1, claim = gen_random_uuid(), due_at = now() + make_interval(secs => $2)
       from due
       where o.project_id = due.project_id and o.id = due.id
       returning o.project_id as "projectId", o.id, o.kind, o.payload, o.attempts as attempt, o.claim)
     select c.*, case when c.id is null then (select v.project_id from visit v where v.place = ${VISITS}) end as reached
     from (select) one left join claimed c on true`,
    [kinds, leaseSeconds, exceptProjects, lanes?.member ?? '', lanes?.busy ?? [], after],
  );
  const [first] = rows;
  if (first?.id === null) return { jobs: [], reached: first.reached ?? undefined };
  return { jobs: rows.map(({ reached: _, ...job }) => job), reached: undefined };
}

/**
 * On a Citus cluster, a statement can neither be recursive nor lock rows of several shards. So the claim reads all due
 * jobs, and the update checks again that no other runner has claimed the job.
 */
async function claimOfAllProjects(
  db: Queryable,
  kinds: readonly string[],
  { limit, leaseSeconds, exceptProjects, lanes, after }: ClaimOptions & { after: string },
): Promise<ClaimedJobs> {
  const jobs = await db.query<Job>(
    `with due as materialized (
       select project_id, id from (
         select project_id, id, row_number() over (partition by project_id order by due_at, id) as turn
         from provenance.outbox
         where state = 'pending' and kind = any($1::text[]) and due_at <= now()
           and project_id <> all($3::uuid[])
           and coalesce(payload->>$4, '') <> all($5::text[])) j
       where turn <= ${limit}
       order by turn, project_id <= $7::uuid, project_id ${limitClause(limit)}
     )
     update provenance.outbox o
     set attempts = o.attempts + 1, claim = $6, due_at = now() + make_interval(secs => $2)
     from due
     where o.project_id = due.project_id and o.id = due.id and o.state = 'pending' and o.due_at <= now()
     returning o.project_id as "projectId", o.id, o.kind, o.payload, o.attempts as attempt, o.claim`,
    [kinds, leaseSeconds, exceptProjects, lanes?.member ?? '', lanes?.busy ?? [], randomUUID(), after],
  );
  return { jobs, reached: undefined };
}

/** Reads one index entry for each kind. */
const nextProject = (after: string) => `(
  select p.project_id from unnest($1::text[]) k(kind) cross join lateral (
    select project_id from provenance.outbox
    where state = 'pending' and kind = k.kind and project_id > ${after}
    order by project_id limit 1) p
  order by p.project_id limit 1)`;

/** Finds the earliest due jobs of the project `v.project_id`, then locks them by key. */
const lockDue = (limit: number, depth: number) => `
  select o.project_id, o.id from (
    select l.id, l.due_at from unnest($1::text[]) k(kind) cross join lateral (
      select a.id, a.due_at from (
        select id, due_at, payload from provenance.outbox
        where state = 'pending' and kind = k.kind and project_id = v.project_id and due_at <= now()
        order by due_at ${limitClause(depth)}) a
      where coalesce(a.payload->>$4, '') <> all($5::text[])
      order by a.due_at ${limitClause(limit + SPARE)}) l
    order by l.due_at ${limitClause(limit + SPARE)}) c
  cross join lateral (
    -- Checks the job again, because another runner can have changed it. The conditions have this form so that
    -- PostgreSQL can use only the index of the primary key.
    select project_id, id from provenance.outbox
    where project_id = v.project_id and id = c.id
      and state <> 'failed' and kind || '' = any($1::text[]) and due_at <= now()
    for update skip locked) o
  order by c.due_at ${limitClause(limit)}`;

/** Returns false when this run has lost the lease. */
export async function extendLease(db: Queryable, job: Job, leaseSeconds: number): Promise<boolean> {
  const rows = await db.query(
    `update provenance.outbox set due_at = now() + make_interval(secs => $4)
     where project_id = $1 and id = $2 and claim = $3 and state = 'pending' returning id`,
    [job.projectId, job.id, job.claim, leaseSeconds],
  );
  return rows.length === 1;
}

/** Returns false when this run has lost the lease. */
export async function finishJob(db: Queryable, job: Job): Promise<boolean> {
  const rows = await db.query(
    'delete from provenance.outbox where project_id = $1 and id = $2 and claim = $3 returning id',
    [job.projectId, job.id, job.claim],
  );
  return rows.length === 1;
}

/** The runners of the new kind run the job from its beginning. */
export async function moveJob(db: Queryable, job: Job, kind: string): Promise<void> {
  await db.query(
    `update provenance.outbox set kind = $4, claim = null, attempts = 0, due_at = now()
     where project_id = $1 and id = $2 and claim = $3`,
    [job.projectId, job.id, job.claim, kind],
  );
}

/** Ends a run that does not count as an attempt. The job is due again after `seconds`. */
export async function returnJob(db: Queryable, job: Job, seconds: number): Promise<void> {
  await db.query(
    `update provenance.outbox
     set claim = null, attempts = attempts - 1, due_at = now() + make_interval(secs => $4)
     where project_id = $1 and id = $2 and claim = $3`,
    [job.projectId, job.id, job.claim, seconds],
  );
}

/** Without `retrySeconds`, the job gets the state `failed` and does not run again. */
export async function postponeJob(
  db: Queryable,
  job: Job,
  failure: { message: string; retrySeconds: number | undefined },
): Promise<void> {
  await db.query(
    `update provenance.outbox
     set state = case when $5::float8 is null then 'failed' else 'pending' end, claim = null, last_error = $4,
       due_at = now() + make_interval(secs => coalesce($5::float8, 0))
     where project_id = $1 and id = $2 and claim = $3`,
    [job.projectId, job.id, job.claim, failure.message, failure.retrySeconds ?? null],
  );
}
