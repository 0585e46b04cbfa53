import { createHash } from 'node:crypto';
import pg from 'pg';
import { UNNAMED } from './unnamed-statement.js';

export interface StatementNames {
  /** Returns undefined for a new text, a text that begins with `UNNAMED`, or any further text after MAX_NAMES. */
  nameOf(text: string): string | undefined;
  /** Whether the statement failed only because of its name and did not run. The text then gets another or no name. */
  isAtFault(text: string, error: unknown): boolean;
}

/** Maximum number of names. Each connection stores a plan for each name. */
const MAX_NAMES = 500;
/** Maximum number of texts that were seen only once. When it is reached, all of them are forgotten. */
const MAX_ONCE = 2_000;
/** Maximum number of new names of a text after changes of its result type. A pooler may keep old plans. */
const MAX_RENEWALS = 3;

const LOST =
  'Prepared statements are lost: a pooler in transaction mode between the service and PostgreSQL does not keep them. ' +
  'Set DATABASE_POOLER=transaction. Until then, this process sends its statements without names.';

/**
 * Names a text when it appears for the second time. The name is a hash, so it means the same statement in all processes
 * that share a server session.
 */
export function createStatementNames(report: (error: Error) => void = () => {}): StatementNames {
  const names = new Map<string, string | undefined>();
  const renewals = new Map<string, number>();
  const once = new Set<string>();
  let isOff = false;

  function nameAgain(text: string): string | undefined {
    if (once.delete(text) && names.size < MAX_NAMES) {
      const name = toName(text, 0);
      names.set(text, name);
      return name;
    }
    if (once.size >= MAX_ONCE) once.clear();
    once.add(text);
    return undefined;
  }

  function renew(text: string): void {
    const count = (renewals.get(text) ?? 0) + 1;
    renewals.set(text, count);
    names.set(text, count > MAX_RENEWALS ? undefined : toName(text, count));
  }

  return {
    nameOf(text) {
      if (isOff || text.startsWith(UNNAMED)) return undefined;
      return names.has(text) ? names.get(text) : nameAgain(text);
    },
    isAtFault(text, error) {
      if (!(error instanceof pg.DatabaseError)) return false;
      if (isStale(error)) {
        renew(text);
        return true;
      }
      if (!isLost(error)) return false;
      if (!isOff) report(new Error(LOST, { cause: error }));
      isOff = true;
      return true;
    },
  };
}

function toName(text: string, renewal: number): string {
  return `c${renewal}_${createHash('sha256').update(text).digest('base64url').slice(0, 32)}`;
}

/** "cached plan must not change result type": a table or function changed after the statement was prepared. */
function isStale({ code, routine }: pg.DatabaseError): boolean {
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/** Whether the server session does not know the name (26000), or another client uses it there (42P05). */
function isLost({ code }: pg.DatabaseError): boolean {
  return code === '26000' || code === '42P05';
}
