import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { startPostgres } from '../support/postgres.js';
import { createDatabase, runSql } from '../support/postgres-databases.js';

/** The cost of a request in PostgreSQL. */
export interface Cost {
  /** Number of ReadyForQuery messages: one for each round trip (PostgreSQL protocol 3.0, 55.2). */
  roundTrips: number;
  /** Number of sent statements, without those inside functions. */
  statements: number;
  /** Number of plans, including those of statements inside functions. */
  plans: number;
  /** Number of visited pages of tables and indexes. */
  pages: number;
  /** Number of pages that sorts and hashes wrote to temporary files, because they did not fit into `work_mem`. */
  temporaryPages: number;
}

/** A PostgreSQL server that counts the work of requests, separately for each database. */
export interface CountedPostgres {
  createDatabase(name: string): Promise<CountedDatabase>;
  stop(): Promise<void>;
}

export interface CountedDatabase {
  /** Leads through a proxy that counts round trips. */
  url: string;
  /**
   * Sends `REQUESTS` requests and returns the cost of one: each number is the minimum over the last ten, because
   * background work of the service adds to some requests. The first requests fill the caches of each connection.
   */
  count(request: (index: number) => Promise<void>): Promise<Cost>;
}

const WARMING = 12;
const COUNTED = 10;

const COUNTS = `select sum(calls) filter (where toplevel)::int as statements, sum(plans)::int as plans,
    sum(shared_blks_hit + shared_blks_read) filter (where toplevel)::int as pages,
    sum(temp_blks_written) filter (where toplevel)::int as "temporaryPages"
  from pg_stat_statements
  where query not like '%pg_stat_statements%' and dbid = (select oid from pg_database where datname = $1)`;

/** Starts a server with pg_stat_statements. Each database gets a proxy in front of the server. */
export async function startCountedPostgres(): Promise<CountedPostgres> {
  const server = await startPostgres({
    settings: [
      'shared_preload_libraries=pg_stat_statements',
      'pg_stat_statements.track=all',
      'pg_stat_statements.track_planning=on',
    ],
  });
  await runSql(server.url, 'create extension pg_stat_statements');
  const gates: Awaited<ReturnType<typeof startCountingGate>>[] = [];
  return {
    async createDatabase(name) {
      const gate = await startCountingGate(Number(new URL(server.url).port));
      gates.push(gate);
      const url = new URL(await createDatabase(server, name));
      url.port = String(gate.port);
      const database = decodeURIComponent(url.pathname.slice(1));
      const countOnce = async (request: () => Promise<void>): Promise<Cost> => {
        await runSql(server.url, 'select pg_stat_statements_reset()');
        const before = gate.roundTrips();
        await request();
        const roundTrips = gate.roundTrips() - before;
        const [counts] = await runSql(server.url, COUNTS, [database]);
        return { roundTrips, ...(counts as unknown as Omit<Cost, 'roundTrips'>) };
      };
      return { url: url.href, count: (request) => countLeast(countOnce, request) };
    },
    async stop() {
      for (const gate of gates) await gate.close();
      await server.stop();
    },
  };
}

async function countLeast(
  countOnce: (request: () => Promise<void>) => Promise<Cost>,
  request: (index: number) => Promise<void>,
): Promise<Cost> {
  for (let index = 0; index < WARMING; index++) await request(index);
  const costs: Cost[] = [];
  for (let index = 0; index < COUNTED; index++) costs.push(await countOnce(() => request(WARMING + index)));
  const least = (name: keyof Cost) => Math.min(...costs.map((cost) => cost[name] ?? 0));
  return {
    roundTrips: least('roundTrips'),
    statements: least('statements'),
    plans: least('plans'),
    pages: least('pages'),
    temporaryPages: least('temporaryPages'),
  };
}

/** Number of requests that `count` sends. */
export const REQUESTS = WARMING + COUNTED;

/** Starts a proxy that forwards everything and counts the messages ReadyForQuery. */
async function startCountingGate(port: number) {
  const sockets = new Set<Socket>();
  let roundTrips = 0;
  const join = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.pipe(to);
    from.on('close', () => to.destroy());
    // The event `close` reports the end.
    from.on('error', () => {});
  };
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1').setNoDelay();
    near.setNoDelay();
    const read = createMessageReader((type) => {
      if (type === 'Z') roundTrips++;
    });
    far.on('data', read);
    join(near, far);
    join(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    roundTrips: () => roundTrips,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Calls `take` with the type of each message of the server. Four bytes with the length follow the type. */
function createMessageReader(take: (type: string) => void) {
  let held: Buffer = Buffer.alloc(0);
  return (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    let at = 0;
    while (at + 5 <= held.length && at + 1 + held.readUInt32BE(at + 1) <= held.length) {
      take(String.fromCharCode(held.readUInt8(at)));
      at += 1 + held.readUInt32BE(at + 1);
    }
    held = held.subarray(at);
  };
}
