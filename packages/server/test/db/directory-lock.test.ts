import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDirectory } from '../../src/platform/db/pglite/directory-lock.js';
import {
  describeProcess,
  isSameProcess,
  type ProcessIdentity,
} from '../../src/platform/db/pglite/process-identity.js';

describe('the lock of a data directory', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'colophon-lock-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const leaveLock = (mark: ProcessIdentity, silentSeconds = 0, generation = 1) => {
    const file = path.join(directory, `lock.${generation}`);
    writeFileSync(file, JSON.stringify(mark));
    const then = new Date(Date.now() - silentSeconds * 1000);
    utimesSync(file, then, then);
  };

  it('rejects a second holder until the first releases the lock, and the error names the first', async () => {
    const lock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${process.pid}`);
    lock.release();
    lock.release();
    const next = await lockDirectory(directory);
    next.release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each([
    ['of another boot', { bootId: 'another' }],
    ['of a process that started at another time', { startTime: '1' }],
    ['of a process id that no process has', { pid: 4_194_304 }],
  ])('takes over the lock %s', async (_, change) => {
    leaveLock({ ...describeProcess(), ...change });
    const lock = await lockDirectory(directory);
    expect(readdirSync(directory)).toEqual(['lock.2']);
    lock.release();
  });

  it.each(['', '{', '{}'])(
    'takes over a lock that a crash left unreadable, if nobody refreshed it for ten seconds: %j',
    async (text) => {
      const file = path.join(directory, 'lock.1');
      writeFileSync(file, text);
      const then = new Date(Date.now() - 11_000);
      utimesSync(file, then, then);
      (await lockDirectory(directory)).release();
    },
  );

  it('takes over the lock of another container that did not refresh it for ten seconds', async () => {
    leaveLock({ ...describeProcess(), namespace: 'pid:[1]', pid: 1 }, 11);
    (await lockDirectory(directory)).release();
  });

  it('rejects a second holder while another container refreshes its lock', { timeout: 30_000 }, async () => {
    const mark = { ...describeProcess(), namespace: 'pid:[1]', pid: 1 };
    leaveLock(mark);
    const heartbeat = setInterval(() => leaveLock(mark), 500);
    await expect(lockDirectory(directory)).rejects.toThrow('in use by process 1');
    clearInterval(heartbeat);
  });

  it('gives the lock of an ended process to only one of many contenders', async () => {
    leaveLock({ ...describeProcess(), startTime: '1' });
    const settled = await Promise.allSettled(Array.from({ length: 20 }, () => lockDirectory(directory)));
    const taken = settled.filter((one) => one.status === 'fulfilled');
    expect(taken).toHaveLength(1);
    taken[0]?.value.release();
  });

  it('treats a killed process as ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const stat = (await import('node:fs')).readFileSync(`/proc/${child.pid}/stat`, 'utf8');
    const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    const mark = { ...describeProcess(), pid: child.pid ?? 0, startTime };
    expect(isSameProcess(mark)).toBe(true);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
    expect(isSameProcess(mark)).toBe(false);
  });
});
