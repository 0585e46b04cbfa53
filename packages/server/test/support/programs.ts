import { existsSync } from 'node:fs';
import path from 'node:path';

/** A program that tests need beside Node, and the Debian package that brings it. */
interface Program {
  names: readonly string[];
  debian: string;
  /** Read first, where it is set. */
  variable?: string;
}

const PROGRAMS: readonly Program[] = [
  { names: ['chromium'], debian: 'chromium', variable: 'CHROMIUM' },
  { names: ['valkey-server', 'redis-server'], debian: 'redis-server' },
  { names: ['fpcalc'], debian: 'libchromaprint-tools' },
  { names: ['curl'], debian: 'curl' },
  { names: ['openssl'], debian: 'openssl' },
  { names: ['python3'], debian: 'python3' },
];

/** The Debian packages of programs that are not here; tests that need them are left out. */
export function missingPrograms(environment: NodeJS.ProcessEnv = process.env): string[] {
  return PROGRAMS.filter((program) => !isHere(program, environment)).map(({ debian }) => debian);
}

function isHere({ names, variable = '' }: Program, environment: NodeJS.ProcessEnv): boolean {
  const given = environment[variable];
  if (given) return existsSync(given);
  const folders = (environment.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return names.some((name) => folders.some((folder) => existsSync(path.join(folder, name))));
}

/** How to add what is missing. */
export function describeMissing(missing: readonly string[]): string {
  return `apt-get install --no-install-recommends ${missing.join(' ')}`;
}
