import {
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeProcess, isSameProcess, type ProcessIdentity, parseIdentity } from './process-identity.js';

const HEARTBEAT_MS = 2_000;
/** A process in another container counts as dead if it does not update its lock file for this time. */
const SILENCE_MS = 10_000;
const LOCK_NAME = /^lock\.(\d+)$/;

export interface DirectoryLock {
  /** Does nothing when called again. */
  release(): void;
}

/**
 * Locks a PGlite directory, because two processes that use it lose data without an error. The `lock.<n>` file with the
 * highest number is the lock. Rejects while another live process has it. `setting`: the variable or option that names
 * the directory, for the error.
 */
export async function lockDirectory(directory: string, setting = 'DATA_DIR'): Promise<DirectoryLock> {
  const mark = describeProcess();
  const deadline = Date.now() + SILENCE_MS + HEARTBEAT_MS;
  for (;;) {
    const principal = readPrincipalOf(directory);
    if (principal === undefined || principal.state === 'dead') {
      const taken = take(directory, mark, (principal?.generation ?? 0) + 1);
      if (taken !== undefined) return taken;
    } else if (principal.state === 'alive' || Date.now() > deadline) {
      throw new Error(
        `The data directory ${directory} is in use by process ${principal.mark?.pid ?? 'unknown'}. ` +
          `Stop that process, or set another ${setting} for this process.`,
      );
    }
    await sleep(principal?.state === 'unknown' ? HEARTBEAT_MS / 4 : 0);
  }
}

interface Holder {
  generation: number;
  /** Undefined when the file is incomplete after a crash. */
  mark: ProcessIdentity | undefined;
  /** `unknown`: the lock was updated recently, but this process cannot identify its holder. */
  state: 'alive' | 'dead' | 'unknown';
}

function generations(directory: string): number[] {
  return readdirSync(directory)
    .flatMap((name) => LOCK_NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);
}

function readPrincipalOf(directory: string): Holder | undefined {
  const generation = generations(directory)[0];
  if (generation === undefined) return undefined;
  const file = lockFile(directory, generation);
  const text = readIfPresent(file);
  if (text === undefined) return readPrincipalOf(directory);
  const mark = parseIdentity(text);
  const seen = mark && isSameProcess(mark);
  if (seen !== undefined) return { generation, mark, state: seen ? 'alive' : 'dead' };
  const silentMs = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return { generation, mark, state: silentMs > SILENCE_MS ? 'dead' : 'unknown' };
}

function take(directory: string, mark: ProcessIdentity, generation: number): DirectoryLock | undefined {
  const draft = path.join(directory, `lock-draft.${mark.pid}.${generation}`);
  const file = lockFile(directory, generation);
  writeFileSync(draft, JSON.stringify(mark), { mode: 0o600, flush: true });
  try {
    if (!linkIfFree(draft, file)) return undefined;
  } finally {
    unlinkSync(draft);
  }
  const [highest, ...older] = generations(directory);
  if (highest !== generation) {
    unlinkIfPresent(file);
    return undefined;
  }
  for (const stale of older) unlinkIfPresent(lockFile(directory, stale));
  return hold(file);
}

function hold(file: string): DirectoryLock {
  const heartbeat = setInterval(() => touch(file), HEARTBEAT_MS);
  heartbeat.unref();
  let held = true;
  const release = () => {
    if (!held) return;
    held = false;
    clearInterval(heartbeat);
    process.off('exit', release);
    unlinkIfPresent(file);
  };
  process.once('exit', release);
  return { release };
}

/** Throws, which ends the process, if it cannot update the lock file: another process may use the directory now. */
function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch (cause) {
    throw new Error(
      `This process cannot update its lock file ${file}. It ends, because another process may use the directory.`,
      { cause },
    );
  }
}

function lockFile(directory: string, generation: number): string {
  return path.join(directory, `lock.${generation}`);
}

function linkIfFree(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function unlinkIfPresent(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
