import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's directory. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program in the repository's directory with inherited output; resolves to its exit code. */
export function run([command, ...args], options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/** Like `run`, with the program's output collected: `{ code, stdout, stderr }`. */
export async function runQuietly(command, options = {}) {
  const output = { stdout: '', stderr: '' };
  const code = await new Promise((resolve, reject) => {
    const child = spawn(command[0], command.slice(1), {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
    });
    for (const stream of ['stdout', 'stderr'])
      child[stream].setEncoding('utf8').on('data', (text) => {
        output[stream] += text;
      });
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve(exitCode ?? 128 + constants.signals[signal]));
  });
  return { code, ...output };
}

/** The npm that runs this script, or else the one in PATH. */
export function npm(...args) {
  const running = process.env.npm_execpath ?? '';
  return basename(running) === 'npm-cli.js' ? [process.execPath, running, ...args] : ['npm', ...args];
}

/** A program of a development dependency; never downloaded when it is missing. */
export function bin(name, ...args) {
  return [fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url)), ...args];
}
