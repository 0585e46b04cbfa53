import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { startPostgres } from '../support/postgres.js';
import { createDatabase, runSql } from '../support/postgres-databases.js';

export interface Cost {
  /** ReadyForQuery messages (PostgreSQL protocol 3.0, 55.2). */
  roundTrips: number;
  /** Excludes statements inside functions. */
  statements: number;
  /** Includes plans of statements inside functions. */
  plans: number;
  /** Visited pages of tables and indexes. */
  pages: number;
  /** Pages that sorts and hashes wrote to temporary files. */
  temporaryPages: number;
}

/** Counts the work of requests, separately for each database. */
export interface CountedPostgres {
  createDatabase(name: string): Promise<CountedDatabase>;
  stop(): Promise<void>;
}

export interface CountedDatabase {
  /** Leads through a proxy that counts round trips. */
  url: string;
  /**
   * Returns the cost of one request: each number is the minimum over the last ten, because background work adds to some
   * requests. The first requests fill the caches of each connection.
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

export const REQUESTS = WARMING + COUNTED;

async function startCountingGate(port: number) {
  const sockets = new Set<Socket>();
  let roundTrips = 0;
  const join = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.pipe(to);
    from.on('close', () => to.destroy());
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

/** Four bytes with the length follow the type of a message. */
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
