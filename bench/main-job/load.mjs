import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { end, endWithUs } from '../support/processes.mjs';

const CALLERS = fileURLToPath(new URL('callers.mjs', import.meta.url));

/** Starts a separate process. Stop it in a `finally`. */
export function startCallers() {
  const client = fork(CALLERS);
  endWithUs(client);
  const exited = once(client, 'exit').then(() => undefined);
  return {
    /** Runs one caller for each key. Rejects at the first response with an unexpected status. */
    async run(job) {
      client.send(job);
      const result = await Promise.race([once(client, 'message').then(([message]) => message), exited]);
      if (result === undefined) throw new Error('The process of the callers ended without a result');
      if (result.failure !== undefined) throw new Error(result.failure);
      return { ...result, perSecond: result.requests / result.seconds };
    },
    stop: () => end(client, 'SIGTERM'),
  };
}
