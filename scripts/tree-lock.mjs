import { createHash } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './processes.mjs';

const HEARTBEAT_MS = 1_000;
const SILENT_MS = 30_000;

/**
 * Runs `work` while no other process of this user installs or builds in this tree. The lock is a file outside the tree,
 * because an install empties node_modules. The holder updates the time of this file every second. Another process takes
 * over if the holder has ended, or has not updated the time for half a minute.
 */
export async function withTreeLock(work) {
  const tree = createHash('sha256').update(ROOT).digest('hex').slice(0, 16);
  const file = join(tmpdir(), `colophon-${process.getuid?.() ?? 'user'}-${tree}.lock`);
  await take(file);
  const heartbeat = setInterval(() => touch(file), HEARTBEAT_MS);
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.off('exit', release);
    release();
  }
}

async function take(file) {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    for (let isReported = false; !linked(mine, file); ) {
      const holder = readHolder(file);
      if (holder !== undefined && isGone(holder)) removeStale(file, holder);
      else {
        if (!isReported) console.log('Waiting for another install or build of this tree to end...');
        isReported = true;
        await sleep(100);
      }
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/** `link` is atomic: it fails when the target exists, and a new target has its complete content. */
function linked(mine, file) {
  try {
    linkSync(mine, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(file) {
  try {
    return { pid: Number(readFileSync(file, 'utf8')), touchedMs: statSync(file).mtimeMs };
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isGone({ pid, touchedMs }) {
  return pid === process.pid || Date.now() - touchedMs > SILENT_MS || !isAlive(pid);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** If another process has just taken over the lock, renames it back. */
function removeStale(file, holder) {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readHolder(aside)?.pid !== holder.pid) linked(aside, file);
  rmSync(aside, { force: true });
}

function touch(file) {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}
