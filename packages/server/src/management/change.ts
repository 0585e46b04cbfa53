import { insertAuditLogEntry } from '../control/audit-log.sql.js';
import { announceChange, type ChangedProjects } from '../control/changes.sql.js';
import { readProjectOwner } from '../control/project-owners.sql.js';
import { ServiceError } from '../errors.js';
import { isDuplicate, type Queryable, type Tx } from '../platform/db/database.js';
import { networkOf } from '../platform/net/client-address.js';
import { toUserTurn } from './accounts.sql.js';
import type { Actor, ManagementDeps } from './deps.js';
import { type KeyedRequest, keepAnswer, readKeptAnswer } from './idempotent-answers.sql.js';
import { type MembershipOf, readMembership } from './orgs.sql.js';

/** `details` never contains a secret. */
export interface Done<Answer> {
  answer: Answer;
  /** For example `project.create`. */
  action: string;
  target: string;
  orgId: string | null;
  projectId?: string | null;
  /** The projects whose cached data changes, for `announced`. Default: `projectId`, or all projects if it is null. */
  changedProjects?: readonly string[];
  details?: Record<string, unknown>;
}

/** The request changes nothing, so the service writes nothing. */
export interface NotDone<Answer> {
  answer: Answer;
  action: undefined;
}

/**
 * Decides the owner of a change in the queue: the owner of the project or organisation, or the client address. The
 * owners take turns, and within the turns of an owner, its projects and organisations.
 */
export type TurnOf = { project: string } | { address: string | null } | { membership: MembershipOf };

export interface ChangeOptions {
  deps: ManagementDeps;
  actor: Actor;
  /** The user owns the change if `turnOf` is absent or names a membership that does not exist. */
  turnOf?: TurnOf;
  /** The change affects cached keys or settings, so all nodes are notified. */
  announced?: boolean;
  /** A repeated request gets the first response again, if `assertMay` still permits the change. */
  keyed?: KeyedRequest | undefined;
  /** Throws if the actor may no longer make the change. Runs before a repeated request gets a response. */
  assertMay?: (tx: Tx) => Promise<unknown>;
}

/** If a node stops in a transaction, its locks end after 10 s. A caller waits for a lock for at most 5 s. */
const WAIT_LIMITS = `set local lock_timeout = '5s'; set local idle_in_transaction_session_timeout = '10s'`;

/** Writes the audit log entry in the same transaction. */
export async function change<Answer>(
  options: ChangeOptions,
  run: (tx: Tx) => Promise<Done<Answer> | NotDone<Answer>>,
): Promise<Answer> {
  const { deps, actor, announced = false, keyed, assertMay } = options;
  const make = async (tx: Tx): Promise<{ answer: Answer; changed: ChangedProjects }> => {
    actor.signal?.throwIfAborted();
    await tx.exec(WAIT_LIMITS);
    if (keyed !== undefined) await assertMay?.(tx);
    const kept = keyed === undefined ? undefined : await readKeptAnswer(tx, keyed);
    if (kept !== undefined) return { answer: kept.answer as Answer, changed: [] };
    const done = await run(tx);
    if (done.action === undefined) return { answer: done.answer, changed: [] };
    const { answer: made, action, target, orgId, projectId = null, details = {} } = done;
    await insertAuditLogEntry(tx, { ...actor, action, target, orgId, projectId, details });
    const changed = announced ? changedBy(done) : [];
    if (!isNone(changed)) await announceChange(tx, changed);
    if (keyed !== undefined) await keepAnswer(tx, keyed, made);
    return { answer: made, changed };
  };
  const turn = { ...(await nameTurn(options)), caller: actor.userId };
  const { answer, changed } = await deps.limitConcurrency(
    turn,
    () => deps.control.transaction(make, { projectId: turn.group }),
    actor.signal,
  );
  if (!isNone(changed)) deps.forgetRemembered(changed);
  return answer;
}

/** Reads the owner from the database. A user could invent many names in requests, and would get many turns. */
async function nameTurn({ deps, actor, turnOf }: ChangeOptions): Promise<{ group: string; part?: string }> {
  if (turnOf !== undefined && 'project' in turnOf) return turnOfProject(deps.control, turnOf.project);
  if (turnOf !== undefined && 'address' in turnOf) return { group: nameAddressTurn(turnOf.address) };
  const membership = turnOf && (await readMembership(deps.control, turnOf.membership));
  if (membership === undefined) return turnOfUser(actor.userId);
  return { group: membership.owner, part: membership.orgId };
}

/** The user and the organisations that the user created share their turns. */
export function turnOfUser(userId: string): { group: string; caller: string } {
  return { group: toUserTurn(userId), caller: userId };
}

/** The projects of one owner take turns within the turns of this owner. */
export async function turnOfProject(
  db: Queryable,
  projectId: string,
): Promise<{ group: string; part: string }> {
  return { group: (await readProjectOwner(db, projectId)) ?? projectId, part: projectId };
}

/** The addresses of one IPv6 network share their turns. */
export function nameAddressTurn(address: string | null): string {
  return `address ${networkOf(address ?? '')}`;
}

function changedBy({ changedProjects, projectId = null }: Done<unknown>): ChangedProjects {
  return changedProjects ?? (projectId === null ? undefined : [projectId]);
}

const isNone = (changed: ChangedProjects) => changed?.length === 0;

/** Throws `Conflict` with `message` if the new values belong to another row already. */
export async function withConflictError<T>(statement: Promise<T>, message: string): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new ServiceError('Conflict', message, { recovery: 'Choose another one.', cause: error });
  }
}
