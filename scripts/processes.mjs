import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Resolves to the exit code. */
export function run([command, ...args], options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

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

export function npm(...args) {
  const running = process.env.npm_execpath ?? '';
  return basename(running) === 'npm-cli.js' ? [process.execPath, running, ...args] : ['npm', ...args];
}

/** A missing program is not downloaded. */
export function bin(name, ...args) {
  return [fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url)), ...args];
}
