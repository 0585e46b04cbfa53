import { spawnSync } from 'node:child_process';
import { type ProcessLimits, toLimitedCommand } from './run-decoder.js';

/** The path by which the program reads the open file. */
export const OPEN_FILE = '/dev/fd/3';

/** Exit codes of a shell that cannot start the program. They are no sign of a damaged file. */
const NOT_STARTED = [126, 127];
/** Errors of `spawnSync` that the file itself can cause: too much output, or a run beyond the time limit. */
const OF_FILE = ['ENOBUFS', 'ETIMEDOUT'];

/** The program did not start. */
export class NotStarted extends Error {}

/**
 * Limits of one run: those of the process, its longest time in ms, and its largest output in bytes. The process starts
 * with the niceness of its thread, so on a busy machine it waits for a processor. `limitMs` should be a few times
 * `cpuSeconds`.
 */
export interface FileRunBounds extends ProcessLimits {
  limitMs: number;
  maxBytes: number;
}

/**
 * Runs a program that reads OPEN_FILE, and blocks the thread until the program ends. `name`: name of the program, for
 * errors. Returns the first `maxBytes` of its output. `isCut` is true if there was more output. `status` is the exit
 * code, or null if the output was cut or the time limit was exceeded. Throws `NotStarted` if the program did not start.
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
