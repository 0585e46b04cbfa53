import type { Queryable } from '../db/database.js';
import { type ClaimOptions, claimJobs, type Job } from './outbox.sql.js';

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Creates the function with which one runner claims jobs. Each claim begins after the last project of the previous
 * claim, so projects take turns. A claim visits every project with pending jobs before it returns without a job. On a
 * Citus cluster, projects do not take turns: each claim takes the earliest due jobs of all projects.
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
