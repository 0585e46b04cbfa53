import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { runSql } from './postgres-databases.js';

/** Whether PgBouncer is installed. */
export const HAS_PGBOUNCER = spawnSync('pgbouncer', ['--version']).status === 0;

/** A pooler in front of one database, in transaction mode. */
export interface Pooler {
  url: string;
  stop(): Promise<void>;
}

/** Starts PgBouncer in front of the database of `url`, with this number of server sessions. */
export async function startPgbouncer(url: string, sessions: number): Promise<Pooler> {
  const { hostname, port, username, pathname } = new URL(url);
  const database = pathname.slice(1);
  const listenPort = await freePort();
  const work = mkdtempSync(path.join(tmpdir(), 'colophon-pgbouncer-'));
  chmodSync(work, 0o755);
  const file = path.join(work, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
${database} = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${sessions}
`,
  );
  const identity = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const server = spawn('pgbouncer', ['-q', ...identity, file], { stdio: 'ignore' });
  const pooled = new URL(url);
  pooled.port = String(listenPort);
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    }
    rmSync(work, { recursive: true, force: true });
  };
  try {
    await untilAnswers(pooled.href);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: pooled.href, stop };
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
