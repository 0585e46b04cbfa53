import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** A program that tests need in addition to Node, and its Debian package. */
interface Program {
  names: readonly string[];
  debian: string;
  /** A variable with the path of the program, which has priority. */
  variable?: string;
}

const PROGRAMS: readonly Program[] = [
  { names: ['chromium'], debian: 'chromium', variable: 'CHROMIUM' },
  { names: ['valkey-server', 'redis-server'], debian: 'redis-server' },
  { names: ['fpcalc'], debian: 'libchromaprint-tools' },
  { names: ['ffmpeg'], debian: 'ffmpeg' },
  { names: ['curl'], debian: 'curl' },
  { names: ['openssl'], debian: 'openssl' },
  { names: ['python3'], debian: 'python3' },
];

/** Debian's Python, with the packages that Debian has for it. */
export const PYTHON = '/usr/bin/python3';

/** Whether Python has the packages of `tools/verify_receipt.py` and of the check of COSE. */
export const HAS_PYTHON_PACKAGES = spawnSync(PYTHON, ['-c', 'import cbor2, cryptography']).status === 0;

/** The Debian packages of missing programs. Tests that need them are skipped. */
export function missingPrograms(environment: NodeJS.ProcessEnv = process.env): string[] {
  const missing = PROGRAMS.filter((program) => !isHere(program, environment)).map(({ debian }) => debian);
  return HAS_PYTHON_PACKAGES ? missing : [...missing, 'python3-cryptography python3-cbor2'];
}

function isHere({ names, variable = '' }: Program, environment: NodeJS.ProcessEnv): boolean {
  const given = environment[variable];
  if (given) return existsSync(given);
  const folders = (environment.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return names.some((name) => folders.some((folder) => existsSync(path.join(folder, name))));
}

/** The command that installs the missing packages. */
export function describeMissing(missing: readonly string[]): string {
  return `apt-get install --no-install-recommends ${missing.join(' ')}`;
}
