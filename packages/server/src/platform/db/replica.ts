import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../errors.js';
import { sleepUntil } from '../sleep-until.js';
import { type Database, DatabaseError, type Queryable } from './database.js';
import { DEFAULT_CONNECTIONS, openPostgres } from './postgres.js';
import { openStandby, type PositionedAnswer, type ReplicaStatement, type Standby } from './standby.js';
import { readPosition, rememberPositions, shareQuestions, type WalPosition } from './wal-position.js';

/** Sends reads to a replica when it is recent enough, and to the primary otherwise. */
export interface Replica {
  /**
   * Each read sees every commit that the primary acknowledged at least `maxStalenessMs` before it. After a read that
   * the primary served, later reads see at least the same commits.
   */
  reads: Queryable;
  served: Readonly<Record<'replica' | 'primary', number>>;
  /** Why the replica is not used. Undefined while it is used. */
  trouble(): string | undefined;
  close(): Promise<void>;
}

/** `onChange` gets each new reason why the replica is not used, and undefined when the replica is used again. */
export interface ReplicaLocation {
  primaryUrl: string;
  replicaUrl: string;
  /** True if a pooler in transaction mode, such as PgBouncer, is in front of one of the servers. */
  transactionPooler?: boolean | undefined;
  /** `DEFAULT_CONNECTIONS` by default. */
  connections?: number | undefined;
  /** Maximum age of a remembered position of the primary; 0 by default. */
  maxStalenessMs?: number | undefined;
  onChange: (trouble: string | undefined) => void;
}

/** A read waits up to WAIT_MS for the replica, and checks it again after each LOOK_MS. */
const WAIT_MS = 50;
const LOOK_MS = 3;
/** Pause between checks of the replica. */
const WATCH_MS = 1_000;
/** Time limit for reading the primary's position, on a separate connection. */
const ASK_MS = 500;

/** The primary serves reads while the replica is down, lags, follows another server or has no free connection. */
export function openReplica(place: ReplicaLocation, primary: Queryable): Replica {
  const keepsSession = place.transactionPooler !== true;
  const clock = openClock(place.primaryUrl, keepsSession);
  const standby = openStandby(place.replicaUrl, {
    connections: place.connections ?? DEFAULT_CONNECTIONS,
    keepsSession,
  });
  const looking = openStandby(place.replicaUrl, { connections: 1, keepsSession });
  const positions = rememberPositions(
    shareQuestions(() => requirePosition(clock)),
    place.maxStalenessMs ?? 0,
  );
  const served = { replica: 0, primary: 0 };
  const state = createState(place.onChange);
  const watch = startWatching(async () => state.note(await lookAt(looking, positions.ask)));
  const readReplica = async <Row>(statement: ReplicaStatement): Promise<Row[] | undefined> => {
    if (state.trouble() !== undefined) return undefined;
    const { standing, rows } = await readInTime<Row>(standby, await positions.ask(), statement);
    if (rows === undefined && standing !== 'busy') state.note(`it is ${standing}`);
    return rows;
  };
  return {
    reads: {
      async query<Row>(text: string, parameters: readonly unknown[] = [], signal?: AbortSignal) {
        let failure: string | undefined;
        try {
          const rows = await readReplica<Row>({ text, parameters });
          if (rows !== undefined) {
            served.replica++;
            return rows;
          }
        } catch (error) {
          failure = describe(error);
        }
        const rows = await primary.query<Row>(text, parameters, signal);
        served.primary++;
        positions.forget();
        // If the primary rejects the statement too, the replica is not the cause.
        if (failure !== undefined) state.note(failure);
        return rows;
      },
    },
    served,
    trouble: state.trouble,
    async close() {
      await watch.close();
      await Promise.all([clock.close(), standby.close(), looking.close()]);
    },
  };
}

/** Returns why the replica cannot be used; undefined if it can. */
export async function describeReplica({
  primaryUrl,
  replicaUrl,
}: Pick<ReplicaLocation, 'primaryUrl' | 'replicaUrl'>) {
  const clock = openClock(primaryUrl, false);
  const standby = openStandby(replicaUrl, { connections: 1, keepsSession: false });
  try {
    return await lookAt(standby, () => requirePosition(clock));
  } finally {
    await Promise.all([clock.close(), standby.close()]);
  }
}

function openClock(primaryUrl: string, keepsSession: boolean): Database {
  return openPostgres(primaryUrl, { connections: 1, connectMs: ASK_MS, statementMs: ASK_MS, keepsSession });
}

async function lookAt(standby: Standby, ask: () => Promise<WalPosition>): Promise<string | undefined> {
  try {
    const { standing } = await readInTime(standby, await ask());
    return standing === 'there' ? undefined : `it is ${standing}`;
  } catch (error) {
    return describe(error);
  }
}

async function readInTime<Row>(
  standby: Standby,
  position: WalPosition,
  statement?: ReplicaStatement,
): Promise<PositionedAnswer<Row>> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const answer = await standby.readFrom<Row>(position, statement);
    if (answer.standing !== 'behind' || Date.now() >= deadline) return answer;
    await sleep(LOOK_MS);
  }
}

async function requirePosition(clock: Queryable): Promise<WalPosition> {
  try {
    return await readPosition(clock);
  } catch (cause) {
    throw new Error('the position of the primary in its write-ahead log cannot be read', { cause });
  }
}

function describe(error: unknown): string {
  if (error instanceof ServiceError && error.code === 'Unavailable') return 'it does not respond';
  if (error instanceof DatabaseError) return `it rejects the query: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

function createState(onChange: (trouble: string | undefined) => void) {
  let trouble: string | undefined = 'it has not been checked yet';
  return {
    trouble: () => trouble,
    note(found: string | undefined) {
      if (found === trouble) return;
      trouble = found;
      onChange(found);
    },
  };
}

function startWatching(look: () => Promise<void>): { close(): Promise<void> } {
  const closing = new AbortController();
  const { signal } = closing;
  const watch = async () => {
    while (!signal.aborted) {
      await look();
      await sleepUntil(WATCH_MS, signal);
    }
  };
  const ended = watch();
  return {
    async close() {
      closing.abort();
      await ended;
    },
  };
}
