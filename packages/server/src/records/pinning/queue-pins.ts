import type { Database } from '../../platform/db/database.js';
import { listStoredTotals } from '../read/stored-contents.sql.js';
import { queuePinsOfPage } from './pins.sql.js';

export interface QueuedPins {
  projectId: string;
  provider: string;
  contents: number;
  queued: number;
}

export interface QueueDeps {
  provenance: Database;
  providersOf(projectId: string): Promise<readonly string[]>;
  onProgress(contents: number): void;
}

const BATCH = 200;

/** Queues jobs for stored contents that a current pinning service lacks. Skips contents with a pending job. */
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
