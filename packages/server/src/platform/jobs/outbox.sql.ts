import type { Queryable } from '../db/database.js';
import { limitClause } from '../db/limit-clause.js';

/** An effect outside the database that a transaction called for. */
export interface Job {
  projectId: string;
  id: string;
  kind: string;
  payload: unknown;
  /** 1 at the first run. */
  attempt: number;
  /** Proof of this run's lease. */
  claim: string;
}

/** Jobs whose payload has the same `member` wait for each other. */
export interface Lanes {
  /** Of the payload. */
  member: string | undefined;
  busy: readonly string[];
}

/**
 * Takes up to `limit` due jobs of these kinds, of other projects and lanes than these; nobody else gets them for
 * `leaseSeconds`.
 */
export function claimJobs(
  db: Queryable,
  kinds: readonly string[],
  options: { limit: number; leaseSeconds: number; exceptProjects: readonly string[]; lanes?: Lanes },
): Promise<Job[]> {
  return db.query<Job>(
    // Listed once, before the update: a list that is read again passes over the rows that are locked by now, and
    // gives others.
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

/** Holds the job for `leaseSeconds` from now. False when its lease had passed to somebody else. */
export async function extendLease(db: Queryable, job: Job, leaseSeconds: number): Promise<boolean> {
  const rows = await db.query(
    `update provenance.outbox set due_at = now() + make_interval(secs => $4)
     where project_id = $1 and id = $2 and claim = $3 and state = 'pending' returning id`,
    [job.projectId, job.id, job.claim, leaseSeconds],
  );
  return rows.length === 1;
}

/** The job is done. False when its lease had passed to somebody else. */
export async function finishJob(db: Queryable, job: Job): Promise<boolean> {
  const rows = await db.query(
    'delete from provenance.outbox where project_id = $1 and id = $2 and claim = $3 returning id',
    [job.projectId, job.id, job.claim],
  );
  return rows.length === 1;
}

/** The job failed: due again after `retrySeconds`, or never when that is undefined; it stays for inspection. */
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
