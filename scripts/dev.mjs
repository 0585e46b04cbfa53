// Compiles on every change, and restarts the server. `tsc --watch` is unsuitable: TypeScript 7.0 misses an edit during
// a compile. `fs.watch` is unsuitable: on Linux it loses a file that an editor saves by a rename.
import { spawn } from 'node:child_process';
import { rmSync, statSync, utimesSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { compile, copySql, removeStaleOutputs } from './build.mjs';
import { buildPage } from './build-page.mjs';
import { DOCUMENTS, listFiles, PACKAGES, PAGE } from './build-stamp.mjs';
import { ROOT } from './processes.mjs';

const LOOK_EVERY_MS = 250;
const MAIN = join(ROOT, 'packages/server/dist/main.js');

// Without this file, the service renders the descriptions of the API from its code, which changes here.
rmSync(join(ROOT, DOCUMENTS), { force: true });
let seen = look();
let looking = setTimeout(update, LOOK_EVERY_MS);
// In a separate process group, the server receives Ctrl-C only from this process.
const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', MAIN], {
  cwd: ROOT,
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: true,
});
server.once('exit', (code) => {
  process.exitCode ??= code ?? 1;
  clearTimeout(looking);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));

/** The next scan detects a file that disappears during this scan. */
function look() {
  const files = [...PACKAGES, PAGE].flatMap((folder) => listFiles(join(ROOT, folder, 'src')));
  const stamps = files.map((file) => [file, statSync(file, { throwIfNoEntry: false })?.mtimeMs]);
  return new Map(stamps.filter(([file]) => /\.(ts|tsx|css|svg|sql)$/.test(file)));
}

async function update() {
  for (let afresh = false; ; afresh = true) {
    const now = look();
    const changed = [...new Set([...seen.keys(), ...now.keys()])].filter(
      (file) => seen.get(file) !== now.get(file),
    );
    seen = now;
    if (changed.length === 0 || process.exitCode !== undefined) break;
    await apply(changed, afresh);
  }
  if (process.exitCode === undefined) looking = setTimeout(update, LOOK_EVERY_MS);
}

/** `afresh`: a file changed during the previous compile. */
async function apply(changed, afresh) {
  console.log(`Changed: ${changed.map((file) => file.slice(ROOT.length)).join(', ')}`);
  removeStaleOutputs();
  copySql();
  const ofPage = changed.filter((file) => file.startsWith(join(ROOT, PAGE)));
  const isCode = changed.some((file) => file.endsWith('.ts') && !ofPage.includes(file));
  // The page also contains the model and the SDK.
  const code =
    (isCode ? await compile({ afresh }) : 0) || (isCode || ofPage.length > 0 ? await buildPage() : 0);
  console.log(code === 0 ? 'Compiled.' : 'Not compiled: see the errors above.');
  // No module imports .sql files, so their changes do not restart the server.
  if (changed.some((file) => file.endsWith('.sql'))) utimesSync(MAIN, new Date(), new Date());
}

/** A second signal kills the processes. */
function end(signal) {
  const insists = process.exitCode !== undefined;
  process.exitCode ??= 128 + constants.signals[signal];
  clearTimeout(looking);
  if (server.exitCode === null && server.signalCode === null)
    process.kill(-server.pid, insists ? 'SIGKILL' : 'SIGTERM');
}
