import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { end, endWithUs } from './processes.mjs';
import { quantileOf } from './statistics.mjs';

const CLIENT = fileURLToPath(new URL('load-client.mjs', import.meta.url));

/** Starts a separate process. Stop it in a `finally`. */
export function startLoad() {
  const client = fork(CLIENT);
  endWithUs(client);
  const exited = once(client, 'exit').then(() => undefined);
  return {
    /**
     * Runs one caller for each key. With `batchOf`, each request is a batch of `batchOf` actions. Rejects when a
     * response is not 201.
     */
    async run({ port, keys, seconds, batchOf }) {
      client.send({ port, keys, seconds, batchOf });
      const result = await Promise.race([once(client, 'message').then(([message]) => message), exited]);
      if (result === undefined) throw new Error('The process of the callers ended without a result');
      const actions = result.latenciesMs.length * (batchOf ?? 1);
      return {
        actions,
        perSecond: actions / result.seconds,
        p99Ms: quantileOf(result.latenciesMs, 0.99),
        cpuSeconds: result.cpuSeconds,
      };
    },
    stop: () => end(client, 'SIGTERM'),
  };
}
