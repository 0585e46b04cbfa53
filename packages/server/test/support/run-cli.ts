import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type CommandResult, type CommandSession, openCommands } from './command-session.js';
import { NODE_FLAGS } from './process.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** All test files of this worker share the process. */
let session: CommandSession | undefined;

/**
 * Runs the built command to its end. Its environment has only `environment` and `PATH`. `input`: its standard input. A
 * command without `input` shares one process with others.
 */
export async function runCli(
  argv: readonly string[],
  environment: Record<string, string> = {},
  input?: string,
): Promise<CommandResult> {
  if (input !== undefined) return runAlone(argv, environment, input);
  session ??= openCommands();
  try {
    return await session.run(argv, environment);
  } catch (error) {
    session = undefined;
    throw error;
  }
}

async function runAlone(
  argv: readonly string[],
  environment: Record<string, string>,
  input: string,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [...NODE_FLAGS, CLI, ...argv], {
    env: { PATH: process.env.PATH, ...environment },
    // This directory has no .env file.
    cwd: path.dirname(CLI),
    stdio: 'pipe',
  });
  child.stdin.end(input);
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const [status] = (await once(child, 'close')) as [number];
  return { status, stdout: await stdout, stderr: await stderr };
}
