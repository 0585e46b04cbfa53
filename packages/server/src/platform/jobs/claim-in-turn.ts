import type { Queryable } from '../db/database.js';
import { type ClaimOptions, claimJobs, type Job } from './outbox.sql.js';

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Each claim begins after the last project of the previous claim, so projects take turns. */
export function createClaims(
  db: Queryable,
  kinds: readonly string[],
): (options: ClaimOptions) => Promise<Job[]> {
  let after = BEFORE_ALL;
  return async (options) => {
    let isWhole = after === BEFORE_ALL;
    for (;;) {
      const { jobs, reached } = await claimJobs(db, kinds, { ...options, after });
      const last = findLast(
        jobs.map(({ projectId }) => projectId),
        after,
      );
      after = last ?? reached ?? BEFORE_ALL;
      if (last !== undefined || (reached === undefined && isWhole)) return jobs;
      isWhole ||= reached === undefined;
    }
  };
}

/** After the highest project, a claim on a cluster continues with the lowest one. */
function findLast(projects: readonly string[], after: string): string | undefined {
  const fromStart = projects.filter((project) => project <= after);
  return (fromStart.length > 0 ? fromStart : projects).toSorted().at(-1);
}
