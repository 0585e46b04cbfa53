// Compiles on every change beside a server that restarts on every compile. Ctrl-C ends both.
import { spawn } from 'node:child_process';
import { utimesSync, watch } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { copySql } from './build.mjs';
import { PACKAGES } from './build-stamp.mjs';
import { bin, ROOT } from './processes.mjs';

const SETTLE_MS = 100;
const MAIN = join(ROOT, 'packages/server/dist/main.js');

const children = [
  start(bin('tsc', '-b', '--watch', '--preserveWatchOutput', ...PACKAGES)),
  start([process.execPath, '--watch', '--watch-preserve-output', MAIN]),
];
const sqlWatcher = watchSql();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
for (const child of children)
  child.once('exit', (code) => {
    process.exitCode ??= code ?? 1;
    end('SIGTERM');
  });

function start([command, ...args]) {
  // Its own process group, so that a Ctrl-C reaches it once, from here.
  return spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
}

/** The first signal asks, a second one insists. */
function end(signal) {
  const insists = sqlWatcher.closed && signal !== 'SIGTERM';
  sqlWatcher.close();
  if (signal !== 'SIGTERM') process.exitCode ??= 128 + constants.signals[signal];
  for (const child of children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null))
    process.kill(-child.pid, insists ? 'SIGKILL' : 'SIGTERM');
}

/** The server reads .sql files, it does not import them: it is restarted by touching its entry file. */
function watchSql() {
  let pending;
  const watcher = watch(join(ROOT, 'packages/server/src'), { recursive: true }, (_event, name) => {
    if (!name?.endsWith('.sql')) return;
    clearTimeout(pending);
    pending = setTimeout(() => {
      copySql();
      utimesSync(MAIN, new Date(), new Date());
    }, SETTLE_MS);
  });
  const state = { closed: false, close };
  function close() {
    state.closed = true;
    clearTimeout(pending);
    watcher.close();
  }
  return state;
}
