import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Runs the built command line to its end, with this environment and no other. */
export async function runCli(argv: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [CLI, ...argv], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const [status] = (await once(child, 'close')) as [number];
  return { status, stdout: await stdout, stderr: await stderr };
}
