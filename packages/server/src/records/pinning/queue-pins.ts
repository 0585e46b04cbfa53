import type { Database } from '../../platform/db/database.js';
import { listStoredTotals } from '../read/stored-contents.sql.js';
import { queuePinsOfPage } from './pins.sql.js';

/** The result for one project and one of its services: stored contents, and newly queued pins. */
export interface QueuedPins {
  projectId: string;
  provider: string;
  contents: number;
  queued: number;
}

export interface QueueDeps {
  provenance: Database;
  providersOf(projectId: string): Promise<readonly string[]>;
  /** Called with the number of contents of one project and service that were checked since the last call. */
  onProgress(contents: number): void;
}

const BATCH = 200;

/**
 * Leaves a job for all stored content that is neither pinned where its project pins now, nor about to be: recorded
 * before the service was configured, or given up. The service that runs does the jobs.
 */
export async function* queuePins(deps: QueueDeps): AsyncGenerator<QueuedPins> {
  for (const { projectId } of await listStoredTotals(deps.provenance)) {
    for (const provider of await deps.providersOf(projectId)) {
      yield await queuePinsOf(deps, projectId, provider);
    }
  }
}

async function queuePinsOf(
  { provenance, onProgress }: QueueDeps,
  projectId: string,
  provider: string,
): Promise<QueuedPins> {
  const sum = { projectId, provider, contents: 0, queued: 0 };
  for (let after: string | null = ''; after !== null; ) {
    const page = await queuePinsOfPage(provenance, { projectId, provider, after, limit: BATCH });
    sum.contents += page.contents;
    sum.queued += page.queued;
    onProgress(page.contents);
    after = page.contents < BATCH ? null : page.last;
  }
  return sum;
}
