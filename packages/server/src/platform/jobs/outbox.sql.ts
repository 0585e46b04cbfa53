import { randomUUID } from 'node:crypto';
import type { Queryable } from '../db/database.js';
import { limitClause } from '../db/limit-clause.js';

/** Work outside the database, for example a webhook call, that a transaction requested. */
export interface Job {
  projectId: string;
  id: string;
  kind: string;
  payload: unknown;
  /** Number of this run; the first is 1. */
  attempt: number;
  /** UUID of this run's lease. Jobs that were claimed together share it. A later run of the job gets another one. */
  claim: string;
}

/** Jobs with the same value of the payload's `member` run one after the other. `busy`: values of running jobs. */
export interface Lanes {
  member: string | undefined;
  busy: readonly string[];
}

/**
 * Claims up to `limit` due jobs of these kinds, except those of `exceptProjects` and of busy lanes. For
 * `leaseSeconds`, no other runner can claim them.
 */
export function claimJobs(
  db: Queryable,
  kinds: readonly string[],
  options: { limit: number; leaseSeconds: number; exceptProjects: readonly string[]; lanes?: Lanes },
): Promise<Job[]> {
  return db.query<Job>(
    // Without `materialized`, PostgreSQL could run this twice. The second run would skip the rows that the first run
    // locked.
    `with due as materialized (
       select project_id, id from provenance.outbox
       where state = 'pending' and kind = any($1::text[]) and due_at <= now()
         and project_id <> all($3::uuid[])
         and coalesce(payload->>$4, '') <> all($5::text[])
       order by due_at for update skip locked ${limitClause(options.limit)}
     )
     update provenance.outbox o
     set attempts = o.attempts + 1, claim = $6, due_at = now() + make_interval(secs => $2)
     from due
     where o.project_id = due.project_id and o.id = due.id
       -- On Citus, the rows are not locked, so another runner may have been faster.
       and o.state = 'pending' and o.due_at <= now()
     returning o.project_id as "projectId", o.id, o.kind, o.payload, o.attempts as attempt, o.claim`,
    [
      kinds,
      options.leaseSeconds,
      options.exceptProjects,
      options.lanes?.member ?? '',
      options.lanes?.busy ?? [],
      randomUUID(),
    ],
  );
}

/** Extends the lease of a job to `leaseSeconds` from now. Returns false when another runner has the lease. */
export async function extendLease(db: Queryable, job: Job, leaseSeconds: number): Promise<boolean> {
  const rows = await db.query(
    `update provenance.outbox set due_at = now() + make_interval(secs => $4)
     where project_id = $1 and id = $2 and claim = $3 and state = 'pending' returning id`,
    [job.projectId, job.id, job.claim, leaseSeconds],
  );
  return rows.length === 1;
}

/** Returns false when another runner has the lease of the job. */
export async function finishJob(db: Queryable, job: Job): Promise<boolean> {
  const rows = await db.query(
    'delete from provenance.outbox where project_id = $1 and id = $2 and claim = $3 returning id',
    [job.projectId, job.id, job.claim],
  );
  return rows.length === 1;
}

/** Changes the kind of a running job. The runners of the new kind run it from its beginning. */
export async function moveJob(db: Queryable, job: Job, kind: string): Promise<void> {
  await db.query(
    `update provenance.outbox set kind = $4, claim = null, attempts = 0, due_at = now()
     where project_id = $1 and id = $2 and claim = $3`,
    [job.projectId, job.id, job.claim, kind],
  );
}

/** Postpones a failed job. Without `retrySeconds`, the job gets the state `failed` and does not run again. */
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
