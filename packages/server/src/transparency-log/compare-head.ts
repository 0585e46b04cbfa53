import { ServiceError } from '../errors.js';
import type { Queryable } from '../platform/db/database.js';
import { readLogSize, readOrigin } from './log.sql.js';
import {
  type DocumentStore,
  isPrefix,
  type LogName,
  parseStored,
  type Tree,
  toDamaged,
} from './stored-heads.js';

/** `signed`: the largest signed tree. `note`: its checkpoint, until the checkpoint is stored. */
export interface Head {
  log: LogName;
  signed: Tree | undefined;
  note: string | undefined;
  /** Whether the log lacks leaves of `signed`, or has others in their place. The service does not sign such a log. */
  isForked: boolean;
  isReported: boolean;
  /**
   * Whether `log` is a former name: the log lost leaves of `signed`, and then got a new name. The service signs no tree
   * under a former name.
   */
  isFormer: boolean;
  /** The database server at the last comparison (`readServer`). Empty when the log must be compared again. */
  server: string;
}

export interface HeadDeps {
  store: DocumentStore;
  provenance: Queryable;
  reportFork: (error: ServiceError) => void;
}

export function newHead(log: LogName): Head {
  return {
    ...{ log, signed: undefined, note: undefined, server: '' },
    ...{ isForked: false, isReported: false, isFormer: false },
  };
}

/** Reports each fork once. */
export async function noteFork(
  { provenance, reportFork }: HeadDeps,
  head: Head,
  isForked: boolean,
): Promise<void> {
  head.isForked = isForked;
  if (!isForked) head.isReported = false;
  if (!isForked || head.isReported) return;
  const fork = await toFork(provenance, head);
  if (head.isReported) return;
  head.isReported = true;
  reportFork(fork);
}

/**
 * Compares the log with the signed tree in memory and with the tree in the store, which any node may have written. Sets
 * `signed` to the largest tree that the log does not continue. If the log continues both, sets `signed` to the larger
 * tree. Calls `askServer` first, so that a fail-over during the comparison causes another comparison.
 */
export async function compareHead(
  deps: HeadDeps,
  head: Head,
  askServer: () => Promise<string>,
): Promise<Head> {
  const { store, provenance } = deps;
  const server = await askServer();
  const before = head.signed;
  const stored = await parseStored(store, head.log);
  if (stored === 'damaged') {
    if (!(await isRenamed(provenance, head.log))) throw toDamaged(head.log);
    return Object.assign(head, { isFormer: true, server });
  }
  const trees = [before, stored].filter((tree) => tree !== undefined);
  trees.sort((one, other) => other.size - one.size);
  const continued = await Promise.all(trees.map((tree) => isPrefix(provenance, head.log.projectId, tree)));
  const broken = trees.find((_, place) => !continued[place]);
  const isLarger = (stored?.size ?? 0) > (head.signed?.size ?? 0);
  // If another tree was signed during the comparison, the log is compared again before the next signature.
  const isWhole = head.signed === before;
  const newest = broken ?? (isLarger ? stored : head.signed);
  // When `signed` does not change, its checkpoint stays in `note`, because the store may not have it yet.
  if (newest !== head.signed) Object.assign(head, { signed: newest, note: undefined });
  head.isFormer = broken !== undefined && (await isRenamed(provenance, head.log));
  await noteFork(deps, head, broken !== undefined && !head.isFormer);
  head.server = isWhole ? server : '';
  return head;
}

async function isRenamed(provenance: Queryable, { projectId, origin }: LogName): Promise<boolean> {
  return (await readOrigin(provenance, projectId)) !== origin;
}

export function toFormer({ projectId, origin }: LogName): ServiceError {
  return new ServiceError(
    'Unavailable',
    `The log of the project ${projectId} lost leaves and then got a new name, and ${origin} is its former name.`,
    { recovery: 'Request a proof of the present tree: GET /v1/log shows the present name.' },
  );
}

export async function toFork(
  provenance: Queryable,
  { log: { projectId }, signed }: Head,
): Promise<ServiceError> {
  const size = signed?.size ?? 0;
  const present = await readLogSize(provenance, projectId);
  return new ServiceError(
    'Unavailable',
    `The log of the project ${projectId} has ${present} leaves, but does not continue its signed tree of ${size} leaves: the database is probably an older copy.`,
    {
      recovery:
        'Have the operator restore a newer database. If the missing records are lost, ' +
        `\`colophon log accept-loss ${projectId} --size ${size}\` continues the log under a new name.`,
    },
  );
}
