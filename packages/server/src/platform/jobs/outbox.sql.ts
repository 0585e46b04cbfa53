import type { Queryable } from '../db/database.js';
import { limitClause } from '../db/limit-clause.js';

/** An effect outside the database that a transaction requested. */
export interface Job {
  projectId: string;
  id: string;
  kind: string;
  payload: unknown;
  /** The number of this run, from 1. */
  attempt: number;
  /** Proof of this run's lease. */
  claim: string;
}

/** Jobs with the same value of this payload member run one after the other. */
export interface Lanes {
  member: string | undefined;
  busy: readonly string[];
}

/**
 * Claims up to `limit` due jobs of these kinds, without those of the excluded projects and lanes. No other runner
 * gets them for `leaseSeconds`.
 */
export function claimJobs(
  db: Queryable,
  kinds: readonly string[],
  options: { limit: number; leaseSeconds: number; exceptProjects: readonly string[]; lanes?: Lanes },
): Promise<Job[]> {
  return db.query<Job>(
    // The list is read once, before the update. A second read would skip the locked rows and return others.
    `with due as materialized (
       select project_id, id from provenance.outbox
       where state = 'pending' and kind = any($1::text[]) and due_at <= now()
         and project_id <> all($3::uuid[])
         and coalesce(payload->>$4, '') <> all($5::text[])
       order by due_at for update skip locked ${limitClause(options.limit)}
     )
     update provenance.outbox o
     set attempts = o.attempts + 1, claim = gen_random_uuid(), due_at = now() + make_interval(secs => $2)
     from due
     where o.project_id = due.project_id and o.id = due.id
     returning o.project_id as "projectId", o.id, o.kind, o.payload, o.attempts as attempt, o.claim`,
    [
      kinds,
      options.leaseSeconds,
      options.exceptProjects,
      options.lanes?.member ?? '',
      options.lanes?.busy ?? [],
    ],
  );
}

/** Extends the lease of a job to `leaseSeconds` from now. Returns false when another runner has it. */
export async function extendLease(db: Queryable, job: Job, leaseSeconds: number): Promise<boolean> {
  const rows = await db.query(
    `update provenance.outbox set due_at = now() + make_interval(secs => $4)
     where project_id = $1 and id = $2 and claim = $3 and state = 'pending' returning id`,
    [job.projectId, job.id, job.claim, leaseSeconds],
  );
  return rows.length === 1;
}

/** Removes a finished job. Returns false when another runner has its lease. */
export async function finishJob(db: Queryable, job: Job): Promise<boolean> {
  const rows = await db.query(
    'delete from provenance.outbox where project_id = $1 and id = $2 and claim = $3 returning id',
    [job.projectId, job.id, job.claim],
  );
  return rows.length === 1;
}

/** Postpones a failed job by `retrySeconds`. With undefined it is not run again, and stays for inspection. */
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
