import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from './process.js';

const CLI = new URL('../../dist/cli.js', import.meta.url);
const HOST = fileURLToPath(new URL('command-host.mjs', import.meta.url));

/** Below the time limit of a test, so that a command that hangs does not delay later tests. */
const MAX_COMMAND_MS = 150_000;

export interface CommandResult {
  status: number;
  stdout: string;
  stderr: string;
}

export interface CommandSession {
  /** The environment of the command has only `environment` and `PATH`. */
  run(argv: readonly string[], environment?: Record<string, string>): Promise<CommandResult>;
}

/**
 * One process runs many commands, so that they load their modules once. Tests that depend on the end of a process or on
 * a signal do not use it.
 */
export function openCommands(): CommandSession {
  const child = fork(HOST, [CLI.href], {
    execArgv: NODE_FLAGS,
    env: { PATH: process.env.PATH },
    // This directory has no .env file.
    cwd: fileURLToPath(new URL('.', CLI)),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  let last: Promise<unknown> = Promise.resolve();
  const run = async (argv: readonly string[], environment = {}): Promise<CommandResult> => {
    const ended = exited.then(() => Promise.reject(new Error(`The process of ${argv.join(' ')} ended.`)));
    const timer = setTimeout(() => child.kill('SIGKILL'), MAX_COMMAND_MS);
    child.send({ argv, environment });
    const [result] = await Promise.race([once(child, 'message'), ended]).finally(() => clearTimeout(timer));
    return result;
  };
  return {
    run(argv, environment) {
      const next = last.then(() => run(argv, environment));
      last = next.catch(() => {});
      return next;
    },
  };
}
