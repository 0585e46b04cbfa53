import { chmod, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

const GROUP = 0o070;
const WORLD = 0o007;

/** Names that the service or the file system creates in a data directory. */
const OWN_NAMES = /^(pg(\.new)?|blobs|log-signing-key(\..*)?|lock\.\d+|lock-draft\..*|lost\+found)$/;
const PRIVATE_PATHS = ['log-signing-key', 'blobs', path.join('blobs', 'tmp')];
/** PGlite's files, which earlier versions of the service created with mode 0666. */
const ENGINE = 'pg';

interface Findings {
  /** Paths that other users of the machine could open until this call. */
  closed: string[];
  /** Paths that a group can still open after this call, for example with Kubernetes' `fsGroup`. */
  shared: string[];
}

export function makeFilesPrivate(): void {
  process.umask(0o077);
}

/**
 * Removes the access of other users to a data directory and to the private files in it. A group keeps access to paths
 * of users other than `userId`, and to a data directory with files of other programs. Rejects if every user of the
 * machine would keep access.
 */
export async function closeToOthers(
  directory: string,
  userId: number | undefined = process.getuid?.(),
): Promise<Findings> {
  const findings: Findings = { closed: [], shared: [] };
  // Without `process.getuid` (Windows), modes have no meaning.
  if (userId === undefined) return findings;
  const names = await readdir(directory).catch(absent);
  if (names?.every((name) => OWN_NAMES.test(name)) === false) await acceptShared(directory, findings);
  else await closePlace(directory, { userId, findings });
  for (const name of PRIVATE_PATHS) await closePlace(path.join(directory, name), { userId, findings });
  for await (const place of walk(path.join(directory, ENGINE))) await closePlace(place, { userId, findings });
  return findings;
}

async function acceptShared(directory: string, findings: Findings): Promise<void> {
  const { mode } = await stat(directory);
  if ((mode & WORLD) !== 0) {
    throw new Error(
      `The DATA_DIR ${directory} is open to every user of this machine and contains files of other programs. ` +
        `Set DATA_DIR to a directory for this service only, or run: chmod o-rwx '${directory}'`,
    );
  }
  if ((mode & GROUP) !== 0) findings.shared.push(directory);
}

async function closePlace(
  place: string,
  { userId, findings }: { userId: number; findings: Findings },
): Promise<void> {
  const found = await stat(place).catch(absent);
  if (found === undefined) return;
  const isOurs = found.uid === userId;
  const tooMuch = found.mode & (isOurs ? GROUP | WORLD : WORLD);
  if (!isOurs && (found.mode & GROUP) !== 0) findings.shared.push(place);
  if (tooMuch === 0) return;
  const cause = await chmod(place, found.mode & 0o7777 & ~tooMuch).catch((error: Error) => error);
  const left = (await stat(place)).mode & WORLD;
  if (left === 0) findings.closed.push(place);
  else throw stillOpen(place, { userId, cause });
}

function stillOpen(place: string, { userId, cause }: { userId: number; cause: unknown }): Error {
  const message =
    `${place} in DATA_DIR is open to every user of this machine, and this process (user ${userId}) cannot change that. ` +
    `Have its owner run: chmod -R o-rwx '${place}'`;
  return new Error(message, cause === undefined ? undefined : { cause });
}

async function* walk(place: string): AsyncGenerator<string> {
  const entries = await readdir(place, { withFileTypes: true }).catch(absent);
  if (entries === undefined) return;
  yield place;
  for (const entry of entries) {
    const child = path.join(place, entry.name);
    if (entry.isDirectory()) yield* walk(child);
    else if (entry.isFile()) yield child;
  }
}

/** A file in place of a directory is reported when the directory is created. */
function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
