import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { end, endWithUs, SHIPPED_FLAGS } from '../support/processes.mjs';
import { KEY } from '../support/service.mjs';
import { PERFORMER, toActionBody } from '../support/typical-action.mjs';

const SERVER = fileURLToPath(new URL('server.mjs', import.meta.url));

/** Headers that Node or Fastify sets itself, or whose value changes with each response. */
const OWN = ['connection', 'content-length', 'content-type', 'date', 'etag', 'keep-alive', 'x-request-id'];

/** Stop it in a `finally`. */
export async function startReference(headers) {
  const server = fork(SERVER, { execArgv: SHIPPED_FLAGS });
  endWithUs(server);
  server.send({ headers });
  const [{ port }] = await once(server, 'message');
  return {
    port,
    pid: server.pid,
    base: `http://127.0.0.1:${port}`,
    stop: () => end(server, 'SIGTERM'),
  };
}

/** The entity PERFORMER must exist. */
export async function readHeaders({ base }) {
  const authorization = `Bearer ${KEY}`;
  const read = await fetch(`${base}/v1/entity/${PERFORMER}`, { headers: { authorization } });
  const body = JSON.stringify(toActionBody({ inputs: [], output: `sha256:${'0'.repeat(64)}` }));
  const written = await fetch(`${base}/v1/action`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body,
  });
  if (!read.ok || !written.ok) throw new Error(`Requests for the headers failed: ${await written.text()}`);
  const toHeaders = (answer) =>
    Object.fromEntries([...answer.headers].filter(([name]) => !OWN.includes(name)));
  return { read: toHeaders(read), write: toHeaders(written) };
}
