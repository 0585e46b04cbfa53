import { spawn } from 'node:child_process';

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...rest: string[]];

const LIMIT_MS = 10_000;
const MAX_OUTPUT_CHARACTERS = 4_096;

/**
 * Runs a program without a shell, with one more argument and these bytes as standard input. Returns its standard output.
 * Rejects when it fails, prints more than 4,096 characters, or takes more than 10 seconds.
 */
export function runCommand(
  [program, ...rest]: CommandLine,
  argument: string,
  input: Uint8Array,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...rest, argument], {
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] = (output[name] + text).slice(0, MAX_OUTPUT_CHARACTERS + 1);
      });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const isWhole = code === 0 && output.stdout.length <= MAX_OUTPUT_CHARACTERS;
      if (isWhole) return resolve(output.stdout);
      const ended = signal === null ? `exit code ${code}` : `signal ${signal}, limit ${LIMIT_MS} ms`;
      reject(new Error(`${program} ${argument} failed (${ended}): ${output.stderr.trim()}`));
    });
    child.stdin.on('error', () => undefined); // a program may end without reading; its exit code tells
    child.stdin.end(input);
  });
}
