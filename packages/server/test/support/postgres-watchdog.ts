import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Stops a server that outlives this process, and removes its directory. */
export interface Watchdog {
  /** Call it after each start, and with undefined when the server has ended. */
  watch(pid: number | undefined): void;
  /** Removes the directory. Stop the server before this call. */
  end(): Promise<void>;
}

/**
 * Reads process ids from standard input, which ends when the test process ends. Then the script stops the server with
 * the last process id, if the data directory still names this id: another process may have received the id of an ended
 * server.
 */
const SCRIPT = `
pid=0
while read -r line; do pid="$line"; done
if [ "$pid" -gt 0 ] && [ "$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)" = "$pid" ]; then
  kill -QUIT "$pid" 2>/dev/null
  for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" 2>/dev/null || break; sleep 0.2; done
  kill -KILL "$pid" 2>/dev/null
fi
rm -rf "$1"
`;

/**
 * The watchdog has its own session, so a signal to the process group of the test run, such as Ctrl+C, does not end it.
 */
export function startWatchdog(directory: string): Watchdog {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', directory], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.unref();
  const input = child.stdin as typeof child.stdin & { unref(): void };
  input.unref();
  return {
    watch: (pid) => void input.write(`${pid ?? 0}\n`),
    end: async () => {
      const ended = once(child, 'exit');
      child.ref();
      input.end();
      await ended;
    },
  };
}
