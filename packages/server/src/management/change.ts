import { insertAuditLogEntry } from '../control/audit-log.sql.js';
import { announceChange } from '../control/changes.sql.js';
import { ServiceError } from '../errors.js';
import { isDuplicate, type Tx } from '../platform/db/database.js';
import type { Actor, ManagementDeps } from './deps.js';
import { type KeyedRequest, keepAnswer, readKeptAnswer } from './idempotent-answers.sql.js';

/** The effect of a change, for the audit log. It never contains a secret. */
export interface Done<Answer> {
  answer: Answer;
  /** For example `project.create`. */
  action: string;
  target: string;
  orgId: string | null;
  projectId?: string | null;
  details?: Record<string, unknown>;
}

/** The result of a request that changes nothing. The service then writes nothing. */
export interface NotDone<Answer> {
  answer: Answer;
  action: undefined;
}

export interface ChangeOptions {
  deps: ManagementDeps;
  actor: Actor;
  /** The change affects cached keys or settings, so all nodes are notified. */
  announced?: boolean;
  /** A repeated request gets the first response, as long as the actor still has the right to the change. */
  keyed?: KeyedRequest | undefined;
  /** Throws unless the actor has the right to make the change. */
  assertMay?: (tx: Tx) => Promise<unknown>;
}

/**
 * Time limits of a change. The database ends the transaction of a node that stopped, after 10 s, and so unlocks the
 * organisation. A caller who waits for a lock gets an error after 5 s.
 */
const WAIT_LIMITS = `set local lock_timeout = '5s'; set local idle_in_transaction_session_timeout = '10s'`;

/** Makes one change of the control plane, and writes its audit log entry in the same transaction. */
export async function change<Answer>(
  { deps, actor, announced = false, keyed, assertMay }: ChangeOptions,
  run: (tx: Tx) => Promise<Done<Answer> | NotDone<Answer>>,
): Promise<Answer> {
  const make = async (tx: Tx) => {
    await tx.exec(WAIT_LIMITS);
    if (keyed !== undefined) await assertMay?.(tx);
    const kept = keyed === undefined ? undefined : await readKeptAnswer(tx, keyed);
    if (kept !== undefined) return kept.answer as Answer;
    const done = await run(tx);
    if (done.action === undefined) return done.answer;
    const { answer: made, action, target, orgId, projectId = null, details = {} } = done;
    await insertAuditLogEntry(tx, { ...actor, action, target, orgId, projectId, details });
    if (announced) await announceChange(tx);
    if (keyed !== undefined) await keepAnswer(tx, keyed, made);
    return made;
  };
  const answer = await deps.limitConcurrency(actor.userId, () => deps.control.transaction(make));
  if (announced) deps.forgetRemembered();
  return answer;
}

/**
 * Runs a statement that creates or changes a row. Throws `Conflict` with this message if the new values belong to
 * another row already.
 */
export async function withConflictError<T>(statement: Promise<T>, message: string): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new ServiceError('Conflict', message, { recovery: 'Choose another one.', cause: error });
  }
}
