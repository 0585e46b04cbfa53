import { spawnSync } from 'node:child_process';
import { type ProcessLimits, toLimitedCommand } from './run-decoder.js';

export const OPEN_FILE = '/dev/fd/3';

/** Exit codes of a shell that cannot start the program. */
const NOT_STARTED = [126, 127];
/** Errors that the file itself can cause. */
const OF_FILE = ['ENOBUFS', 'ETIMEDOUT'];

export class NotStarted extends Error {}

/**
 * `limitMs` should be a few times `cpuSeconds`, because the process waits for a processor. `maxBytes`: largest output.
 */
export interface FileRunBounds extends ProcessLimits {
  limitMs: number;
  maxBytes: number;
}

/**
 * Runs a program that reads OPEN_FILE, and blocks the thread. `name`: name of the program, for errors. `isCut`: there
 * was more than `maxBytes` of output. `status`: null after a cut or the time limit. Throws `NotStarted` if the program
 * did not start.
 */
export function runOnFile(
  { name, command }: { name: string; command: readonly string[] },
  file: number,
  { limitMs, maxBytes, ...limits }: FileRunBounds,
): { status: number | null; output: Buffer; isCut: boolean } {
  const [shell, ...rest] = toLimitedCommand(command, limits);
  const { status, stdout, error } = spawnSync(shell, rest, {
    env: {},
    cwd: '/',
    timeout: limitMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxBytes,
    stdio: ['ignore', 'pipe', 'ignore', file],
  });
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const isOfProgram = code !== undefined && !OF_FILE.includes(code);
  if (isOfProgram || NOT_STARTED.includes(status ?? 0))
    throw new NotStarted(`${name} did not run (${code ?? `exit code ${status}`})`);
  return { status, output: stdout.subarray(0, maxBytes), isCut: code === 'ENOBUFS' };
}
