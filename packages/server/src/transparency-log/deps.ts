import type { Anchor, NoteSigner } from '@colophon/model';
import type { Database } from '../platform/db/database.js';

/** What the logs of projects work with. */
export interface TransparencyLogDeps {
  provenance: Database;
  /** Signs checkpoints; without it there are none. */
  signer: NoteSigner | undefined;
  /** Host, and path of the service if it has one: the name of a new log is this and `/log/<project id>`. */
  service: string;
  /** What anchors a leaf on a chain, and the head that leads there; undefined when nothing does yet. */
  readAnchoredLeaf: (
    projectId: string,
    leafIndex: number,
  ) => Promise<{ head: { size: number; origin: string } | undefined; anchor: Anchor } | undefined>;
  /** Runs it in the project's turn, so that those who wait for a project's map hold no connection. */
  limitConcurrency: <T>(projectId: string, run: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
}
