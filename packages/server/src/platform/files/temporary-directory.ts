import { mkdtempSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const NAME = /^colophon-(?:media|page|part|sound|video)-(\d+)-\w+$/;

export type TemporaryUse = 'media' | 'page' | 'part' | 'sound' | 'video';

const toPrefix = (use: TemporaryUse, parent: string) => path.join(parent, `colophon-${use}-${process.pid}-`);

/** The caller removes the directory. */
export function makeTemporaryDirectory(use: TemporaryUse, parent = tmpdir()): Promise<string> {
  return mkdtemp(toPrefix(use, parent));
}

export function makeTemporaryDirectorySync(use: TemporaryUse, parent = tmpdir()): string {
  return mkdtempSync(toPrefix(use, parent));
}

/** Removes the directories that ended processes of this user left behind. */
export async function sweepTemporaryDirectories(parent = tmpdir()): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(NAME.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid)) continue;
    const directory = path.join(parent, name);
    if (await isLeftBehind(directory, pid)) await rm(directory, { recursive: true, force: true });
  }
}

/** In a container, a process often has the pid of an earlier process. Then the time of the directory decides. */
async function isLeftBehind(directory: string, pid: number): Promise<boolean> {
  const found = await stat(directory).catch(absent);
  if (found === undefined || found.uid !== process.getuid?.()) return false;
  if (pid !== process.pid) return !isAlive(pid);
  return found.mtimeMs < Date.now() - process.uptime() * 1000;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Another process may have removed the directory. */
function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
