import { spawn } from 'node:child_process';

export type CommandLine = readonly [program: string, ...rest: string[]];

const LIMIT_MS = 10_000;
const MAX_OUTPUT_CHARACTERS = 4_096;

/**
 * Runs a program without a shell. Returns its standard output. Rejects if the program fails, or if its output has more
 * than 4,096 characters. After `limitMs`, ends its process group and rejects.
 */
export function runCommand(
  [program, ...rest]: CommandLine,
  argument: string,
  { input, limitMs = LIMIT_MS }: { input: Uint8Array; limitMs?: number },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...rest, argument], {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true, // a process group of its own, so that one signal ends the whole group
    });
    const timer = setTimeout(() => {
      if (child.pid !== undefined) killGroup(child.pid);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      reject(new Error(`${program} ${argument} did not end within ${limitMs} ms`));
    }, limitMs);
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] = (output[name] + text).slice(0, MAX_OUTPUT_CHARACTERS + 1);
      });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const isTooLong = output.stdout.length > MAX_OUTPUT_CHARACTERS;
      if (code === 0 && !isTooLong) return resolve(output.stdout);
      if (code === 0) {
        const limit = `more than ${MAX_OUTPUT_CHARACTERS} characters`;
        return reject(new Error(`${program} ${argument} failed: its output has ${limit}`));
      }
      const ended = signal === null ? `exit code ${code}` : `signal ${signal}`;
      reject(new Error(`${program} ${argument} failed (${ended}): ${output.stderr.trim()}`));
    });
    // A program may end without reading its input. The exit code shows whether it failed.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

function killGroup(leaderPid: number): void {
  try {
    process.kill(-leaderPid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // the group has already ended
  }
}
