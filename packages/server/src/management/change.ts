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

/** The result of a change, and the fields of its audit log entry. `details` never contains a secret. */
export interface Done<Answer> {
  answer: Answer;
  /** For example `project.create`. */
  action: string;
  target: string;
  orgId: string | null;
  projectId?: string | null;
  /**
   * The projects about which all nodes are notified, if `announced` is set. Default: the project `projectId`, or all
   * projects if it is null.
   */
  changedProjects?: readonly string[];
  details?: Record<string, unknown>;
}

/** The result of a request that changes nothing. The service then writes nothing. */
export interface NotDone<Answer> {
  answer: Answer;
  action: undefined;
}

/**
 * Names the owner to which a change belongs in the queue of changes. For a project, this is the owner of the project.
 * For a membership, it is the owner of the organisation. For an address, it is this client address. The owners take
 * turns, and only a few changes of one owner run at a time. Within the turns of an owner, its projects and
 * organisations take turns.
 */
export type TurnOf = { project: string } | { address: string | null } | { membership: MembershipOf };

export interface ChangeOptions {
  deps: ManagementDeps;
  actor: Actor;
  /**
   * Names the owner of this change in the queue. The owner is the user if `turnOf` is absent, or if it names a
   * membership that does not exist.
   */
  turnOf?: TurnOf;
  /** The change affects cached keys or settings, so all nodes are notified. */
  announced?: boolean;
  /** A repeated request gets the first response again, if the actor still may make the change. */
  keyed?: KeyedRequest | undefined;
  /** Throws if the actor no longer has the right to make the change. Runs before a repeated request gets a response. */
  assertMay?: (tx: Tx) => Promise<unknown>;
}

/**
 * Time limits of a change. If a node stops during a transaction, the database ends the transaction after 10 s, which
 * unlocks the organisation. A caller who waits for a lock gets an error after 5 s.
 */
const WAIT_LIMITS = `set local lock_timeout = '5s'; set local idle_in_transaction_session_timeout = '10s'`;

/** Makes one change of the control plane, and writes its audit log entry in the same transaction. */
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

/**
 * Names the owner of the change's turn. Reads the owner of a project or an organisation from the database. If a name
 * from the request were the owner, a user could send many invented names, and would get many turns.
 */
async function nameTurn({ deps, actor, turnOf }: ChangeOptions): Promise<{ group: string; part?: string }> {
  if (turnOf !== undefined && 'project' in turnOf) return turnOfProject(deps.control, turnOf.project);
  if (turnOf !== undefined && 'address' in turnOf) return { group: nameAddressTurn(turnOf.address) };
  const membership = turnOf && (await readMembership(deps.control, turnOf.membership));
  if (membership === undefined) return turnOfUser(actor.userId);
  return { group: membership.owner, part: membership.orgId };
}

/** Returns the turn of a user. The user and the organisations that the user created share their turns. */
export function turnOfUser(userId: string): { group: string; caller: string } {
  return { group: toUserTurn(userId), caller: userId };
}

/**
 * Returns the owner of a project as `group`, and the project as `part`. The projects of one owner take turns within the
 * turns of this owner.
 */
export async function turnOfProject(
  db: Queryable,
  projectId: string,
): Promise<{ group: string; part: string }> {
  return { group: (await readProjectOwner(db, projectId)) ?? projectId, part: projectId };
}

/** Names the owner of the turns of a visitor. The addresses of one IPv6 network have the same owner. */
export function nameAddressTurn(address: string | null): string {
  return `address ${networkOf(address ?? '')}`;
}

function changedBy({ changedProjects, projectId = null }: Done<unknown>): ChangedProjects {
  return changedProjects ?? (projectId === null ? undefined : [projectId]);
}

const isNone = (changed: ChangedProjects) => changed?.length === 0;

/**
 * Waits for a statement that creates or changes a row. Throws `Conflict` with `message` if the new values belong to
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
