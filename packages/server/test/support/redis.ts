import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';

/** Redis or Valkey. */
export interface RedisServer {
  url: string;
  /** The server still listens but does not answer, until `resume`. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
  /** Starts again on the same port, without data. */
  restart(): Promise<void>;
}

export const REDIS_COMMAND = ['valkey-server', 'redis-server'].find(
  (command) => spawnSync(command, ['--version']).status === 0,
);

/** Writes nothing to disk. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const work = mkdtempSync(path.join(tmpdir(), 'colophon-redis-'));
  let server = await launch(port, work);
  const end = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    async stop() {
      await end();
      rmSync(work, { recursive: true, force: true });
    },
    async restart() {
      await end();
      server = await launch(port, work);
    },
  };
}

async function launch(port: number, work: string) {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', work];
  const server = spawn(REDIS_COMMAND ?? 'redis-server', settings, { stdio: 'ignore' });
  for (let tries = 0; tries < 200; tries++) {
    if (await listens(port)) return server;
    await sleep(50);
  }
  server.kill('SIGKILL');
  throw new Error('Redis did not start');
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const answered = await Promise.race([
    once(socket, 'connect').then(
      () => true,
      () => false,
    ),
    sleep(500, false),
  ]);
  socket.destroy();
  return answered;
}
