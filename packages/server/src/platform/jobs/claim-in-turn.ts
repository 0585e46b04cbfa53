import type { Queryable } from '../db/database.js';
import { type ClaimOptions, claimJobs, type Job } from './outbox.sql.js';

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Creates the claims of one runner. Each claim begins after the project of the last claimed job, so projects take
 * turns. A claim without jobs has visited every project with jobs.
 */
export function createClaims(
  db: Queryable,
  kinds: readonly string[],
): (options: ClaimOptions) => Promise<Job[]> {
  let after = BEFORE_ALL;
  return async (options) => {
    let isWhole = after === BEFORE_ALL;
    for (;;) {
      const { jobs, reached } = await claimJobs(db, kinds, { ...options, after });
      const last = jobs
        .map(({ projectId }) => projectId)
        .toSorted()
        .at(-1);
      after = last ?? reached ?? BEFORE_ALL;
      if (last !== undefined || (reached === undefined && isWhole)) return jobs;
      isWhole ||= reached === undefined;
    }
  };
}
