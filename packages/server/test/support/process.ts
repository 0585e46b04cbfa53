import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.js';
import { KEY, toForm } from './service.js';
import type { Stops } from './stop-all.js';

/**
 * One thread for compilers, as in `npm start`. Few processes of tests live long enough for optimised WebAssembly to pay
 * off, so V8 optimises a function later than by default.
 */
export const NODE_FLAGS = ['--v8-pool-size=1', '--wasm-tiering-budget=100000000'];

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** A test can kill this process. */
export interface ServiceProcess {
  pid: number;
  base: string;
  send(path: string, init?: RequestInit): Promise<Response>;
  upload(content: Uint8Array | string, json?: object): Promise<Response>;
  output(): string;
  /** Closes this end of the pipe of its standard output. */
  stopReading(): void;
  kill9(): Promise<void>;
  /** Sends SIGTERM. Returns the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the built service, or another build or command of it. */
export async function startProcess(
  environment: Record<string, string>,
  main: string = MAIN,
  argv: readonly string[] = [],
): Promise<ServiceProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [...NODE_FLAGS, main, ...argv], {
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'fatal',
      RATE_LIMIT_RPM: '1000000',
      API_KEYS: `${KEY}:one`,
      PORT: String(port),
      ...environment,
    },
    // This directory has no .env file.
    cwd: path.dirname(MAIN),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const base = `http://127.0.0.1:${port}`;
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
  await untilHealthy(child, base, () => printed);
  const send: ServiceProcess['send'] = (path, init = {}) =>
    fetch(base + path, { ...init, headers: { authorization: `Bearer ${KEY}`, ...init.headers } });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return {
    pid: child.pid ?? 0,
    base,
    output: () => printed,
    stopReading: () => void child.stdout?.destroy(),
    send,
    upload: (content, json = { entity: { role: 'human', name: 'Ann' } }) =>
      send('/v1/activity', { method: 'POST', body: toForm(content, json) }),
    kill9: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}

/** Adds the `stop` of each started service to `stops`, even if one fails. */
export async function startTwo(
  start: () => Promise<ServiceProcess>,
  stops: Stops,
): Promise<[ServiceProcess, ServiceProcess]> {
  const [one, other] = await Promise.allSettled([start(), start()]);
  for (const node of [one, other]) if (node.status === 'fulfilled') stops.push(node.value.stop);
  if (one.status === 'rejected') throw one.reason;
  if (other.status === 'rejected') throw other.reason;
  return [one.value, other.value];
}

/** Returns the resident memory in bytes. */
export function residentBytes(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1]) * 1024;
}

async function untilHealthy(child: ChildProcess, base: string, output: () => string): Promise<void> {
  for (let tries = 0; tries < 2_400; tries++) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    const answer = await fetch(base).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error(`The service did not start: ${output()}`);
}
