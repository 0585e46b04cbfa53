import type { Anchor, NoteSigner } from '@colophon/model';
import type { Database } from '../db/database.js';

/** What the logs of projects work with. */
export interface LogNeeds {
  provenance: Database;
  /** Signs checkpoints; without it there are none. */
  signer: NoteSigner | undefined;
  /** The name of a project's log: host, and path of the service if it has one, then `/log/<project id>`. */
  originOf: (projectId: string) => string;
  /** What anchors a leaf on a chain, and the head that leads there; undefined when nothing does yet. */
  readAnchoredLeaf: (
    projectId: string,
    leafIndex: number,
  ) => Promise<{ head: { size: number; origin: string } | undefined; anchor: Anchor } | undefined>;
  /** Runs it in the project's turn, so that those who wait for a project's map hold no connection. */
  takeTurn: <T>(projectId: string, run: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
}
