import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../errors.js';
import { sleepUntil } from '../sleep-until.js';
import { type Database, DatabaseError, type Queryable } from './database.js';
import { openPostgres } from './postgres.js';
import { openStandby, type PositionedAnswer, type ReplicaStatement, type Standby } from './standby.js';
import { readPosition, shareQuestions, type WalPosition } from './wal-position.js';

/** Reads that a replica answers when it is recent enough, and the primary otherwise. */
export interface Replica {
  /** Reads that see every commit that was acknowledged before them. */
  reads: Queryable;
  /** Number of reads of this process, by server. */
  served: Readonly<Record<'replica' | 'primary', number>>;
  /** The reason why the replica is not in use; undefined when it is. */
  trouble(): string | undefined;
  close(): Promise<void>;
}

/**
 * The addresses of a primary and its replica. `onChange` is called when reads begin or cease to go to the replica.
 */
export interface ReplicaLocation {
  primaryUrl: string;
  replicaUrl: string;
  /** Whether a pooler in front of either server gives each transaction another server session. */
  transactionPooler?: boolean | undefined;
  onChange: (trouble: string | undefined) => void;
}

/** How long a read waits until the replica has the primary's position, and the interval of its checks. */
const WAIT_MS = 50;
const LOOK_MS = 3;
/** Interval between checks of the replica. A replica that had a problem is used again after a good check. */
const WATCH_MS = 1_000;
/** Time limit for reading the primary's position. This query has its own connection. */
const ASK_MS = 500;
const CONNECTIONS = 10;

/**
 * Opens a replica and its primary. While the replica is down, fails, lags or follows another server, the primary
 * answers. The replica is used again after a successful check.
 */
export function openReplica(place: ReplicaLocation, primary: Queryable): Replica {
  const keepsSession = place.transactionPooler !== true;
  const clock = openClock(place.primaryUrl, keepsSession);
  const standby = openStandby(place.replicaUrl, { connections: CONNECTIONS, keepsSession });
  const looking = openStandby(place.replicaUrl, { connections: 1, keepsSession });
  const askPosition = shareQuestions(() => requirePosition(clock));
  const served = { replica: 0, primary: 0 };
  const state = createState(place.onChange);
  const watch = startWatching(async () => state.note(await lookAt(looking, askPosition)));
  const readReplica = async <Row>(statement: ReplicaStatement): Promise<Row[] | undefined> => {
    if (state.trouble() !== undefined) return undefined;
    const { standing, rows } = await readInTime<Row>(standby, await askPosition(), statement);
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
        // A statement that the primary rejects too says nothing about the replica.
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

/** Describes why the replica is not in use; undefined when it is. */
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

/** Reads at or after the position. Waits a little for a replica that is behind. */
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
    throw new Error('the primary does not say where it is', { cause });
  }
}

function describe(error: unknown): string {
  if (error instanceof ServiceError && error.code === 'Unavailable') return 'it does not answer';
  if (error instanceof DatabaseError) return `it refuses: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

function createState(onChange: (trouble: string | undefined) => void) {
  let trouble: string | undefined = 'it was not looked at yet';
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
