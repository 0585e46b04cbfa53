// The process of the callers.
import { randomUUID } from 'node:crypto';
import { openConnection, toMessage } from './connection.mjs';
import { cidOf } from './content-ids.mjs';
import { toActionBody } from './typical-action.mjs';

const freshCid = () => cidOf(randomUUID());

async function callUntil(deadlineMs, { port, key, batchOf, latenciesMs }) {
  const connection = await openConnection(port);
  const sessionId = randomUUID();
  let inputs = [freshCid(), freshCid()];
  while (performance.now() < deadlineMs) {
    const actions = [];
    for (let count = 0; count < (batchOf ?? 1); count++) {
      const output = freshCid();
      actions.push(toActionBody({ inputs, output, sessionId }));
      inputs = [inputs[1], output];
    }
    const path = batchOf === undefined ? '/v1/action' : '/v1/batch';
    const body = JSON.stringify(batchOf === undefined ? actions[0] : { actions });
    const sentMs = performance.now();
    const answer = await connection.send(toMessage({ method: 'POST', path, key, body }));
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`);
    latenciesMs.push(performance.now() - sentMs);
  }
  connection.close();
}

async function runJob({ port, keys, seconds, batchOf }) {
  const latenciesMs = [];
  const cpuBefore = process.cpuUsage();
  const startMs = performance.now();
  const deadlineMs = startMs + seconds * 1000;
  await Promise.all(keys.map((key) => callUntil(deadlineMs, { port, key, batchOf, latenciesMs })));
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    seconds: (performance.now() - startMs) / 1000,
    latenciesMs,
    cpuSeconds: (user + system) / 1e6,
  };
}

process.on('message', async (job) => {
  process.send(await runJob(job));
});
