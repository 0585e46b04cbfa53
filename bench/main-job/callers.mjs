// The process of the callers.
import { openConnection } from '../support/connection.mjs';
import { openFetchClient, openNodeClient } from '../support/node-client.mjs';
import { quantileOf } from '../support/statistics.mjs';
import { createRequests } from './requests.mjs';

const CLIENTS = { fetch: openFetchClient, node: openNodeClient, bare: openConnection };

/** The request generators stay between jobs, so that no new text is sent twice. */
const requestsOf = new Map();

process.on('message', async (job) => {
  process.send(await run(job).catch((error) => ({ failure: error.stack })));
});

async function run({ port, store, row, keys, seconds, client, most = Number.POSITIVE_INFINITY }) {
  if (!requestsOf.has(store)) requestsOf.set(store, createRequests());
  const { make, judge } = requestsOf.get(store)[row];
  const connections = await Promise.all(keys.map(() => CLIENTS[client](port)));
  const tally = { requests: 0, planted: 0, found: 0, asked: 0, complete: 0 };
  const latenciesMs = [];
  let left = most;
  const cpuBefore = process.cpuUsage();
  const startMs = performance.now();
  const deadlineMs = startMs + seconds * 1000;
  const call = async (connection, caller) => {
    while (left > 0 && performance.now() < deadlineMs) {
      left--;
      const request = make({ key: keys[caller], caller });
      const sentMs = performance.now();
      const answer = await connection.send(request.message);
      latenciesMs.push(performance.now() - sentMs);
      if (answer.status !== request.status) throw new Error(`${row}: ${answer.status} ${answer.body}`);
      judge?.(tally, request, answer);
    }
  };
  try {
    await Promise.all(connections.map(call));
  } finally {
    for (const connection of connections) connection.close();
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    ...tally,
    requests: latenciesMs.length,
    seconds: (performance.now() - startMs) / 1000,
    cpuSeconds: (user + system) / 1e6,
    p50Ms: quantileOf(latenciesMs, 0.5),
    p99Ms: quantileOf(latenciesMs, 0.99),
  };
}
