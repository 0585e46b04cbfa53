import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { end, endWithUs, freePort, SHIPPED_FLAGS } from './processes.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const KEY = 'bench-key-of-project-one';
export const PROJECT = 'one';

/**
 * Starts the built service with a very high rate limit. BENCH_NODE_FLAGS has additional flags of Node, such as
 * `--cpu-prof --cpu-prof-dir=/tmp/profiles`. `root` is another built checkout.
 */
export async function startService(environment = {}, root = ROOT) {
  const port = await freePort();
  const flags = [...SHIPPED_FLAGS, ...(process.env.BENCH_NODE_FLAGS ?? '').split(' ').filter(Boolean)];
  const child = spawn(process.execPath, [...flags, join(root, 'packages/server/dist/main.js')], {
    env: {
      PATH: process.env.PATH,
      RATE_LIMIT_RPM: '1000000',
      RATE_LIMIT_BURST: '1000000',
      API_KEYS: `${KEY}:${PROJECT}`,
      PORT: String(port),
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  endWithUs(child);
  const base = `http://127.0.0.1:${port}`;
  await untilReady(child, base);
  return { base, port, pid: child.pid, stop: () => end(child, 'SIGTERM') };
}

export async function createPerformer({ base }, { key = KEY, id }) {
  const answer = await fetch(`${base}/v1/entity`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id, role: 'ai' }),
  });
  if (!answer.ok) throw new Error(`POST /v1/entity: ${answer.status} ${await answer.text()}`);
}

async function untilReady(child, base) {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    const answer = await fetch(`${base}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(50);
  }
  await end(child, 'SIGKILL');
  throw new Error('The service did not start');
}

/** `json`: the JSON part of the form, which a request that records the file needs. */
export async function sendForm({ base }, path, { file, type, json }) {
  const body = new FormData();
  body.set('file', new Blob([file], { type }), 'file');
  if (json !== undefined) body.set('json', json);
  const headers = { authorization: `Bearer ${KEY}` };
  const answer = await fetch(base + path, { method: 'POST', body, headers });
  const said = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(said)}`);
  return said;
}
