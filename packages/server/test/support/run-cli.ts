import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from './process.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Runs the built command to its end. Its environment has only `environment` and `PATH`. `input`: standard input. */
export async function runCli(argv: string[], environment: Record<string, string>, input?: string) {
  const child = spawn(process.execPath, [...NODE_FLAGS, CLI, ...argv], {
    env: { PATH: process.env.PATH, ...environment },
    // A directory without a .env file.
    cwd: path.dirname(CLI),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  if (child.stdout === null || child.stderr === null) throw new Error('Its output is not piped');
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const [status] = (await once(child, 'close')) as [number];
  return { status, stdout: await stdout, stderr: await stderr };
}
