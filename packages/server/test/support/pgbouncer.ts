import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { runSql } from './postgres-databases.js';
import { findProgram } from './programs.js';

const COMMAND = findProgram('pgbouncer');

export const HAS_PGBOUNCER = COMMAND !== undefined;

export interface Pooler {
  url: string;
  /** Ends the process abruptly, and with it every connection. */
  kill9(): Promise<void>;
  /** Starts again on the same port after `kill9`. `settings` are in addition to the first ones. */
  start(settings?: PoolerSettings): Promise<void>;
  stop(): Promise<void>;
}

/** The settings that a test can change. */
export interface PoolerSettings {
  pool_mode?: 'transaction' | 'session';
  /** Maximum number of server sessions. */
  default_pool_size?: number;
  /** Maximum time that a statement waits for a server session, in seconds. */
  query_wait_timeout?: number;
}

/** `sessions`: maximum number of server sessions. */
export async function startPgbouncer(
  url: string,
  sessions: number,
  settings: PoolerSettings = {},
): Promise<Pooler> {
  const pooled = new URL(url);
  pooled.port = String(await freePort());
  const work = mkdtempSync(path.join(tmpdir(), 'colophon-pgbouncer-'));
  chmodSync(work, 0o755);
  const file = path.join(work, 'pgbouncer.ini');
  const first = { default_pool_size: sessions, ...settings };
  // PgBouncer refuses to run as root.
  const identity = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  let server: ChildProcess | undefined;
  const kill9 = async () => {
    if (server !== undefined && server.exitCode === null && server.signalCode === null) {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    }
  };
  const start = async (changed: PoolerSettings = {}) => {
    writeFileSync(file, toIni(new URL(url), pooled.port, { ...first, ...changed }));
    server = spawn(COMMAND ?? 'pgbouncer', ['-q', ...identity, file], { stdio: 'ignore' });
    await untilAnswers(pooled.href);
  };
  const stop = async () => {
    await kill9();
    rmSync(work, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: pooled.href, kill9, start, stop };
}

function toIni({ hostname, port, username, pathname }: URL, listenPort: string, settings: object): string {
  const all = { pool_mode: 'transaction', ...settings };
  return `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
${Object.entries(all)
  .map(([name, value]) => `${name} = ${value}\n`)
  .join('')}`;
}

async function untilAnswers(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await runSql(url, 'select 1');
      return;
    } catch (error) {
      if (tries > 100) throw error;
    }
    await sleep(50);
  }
}
